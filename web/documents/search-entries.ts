import { wrongLetters } from '../../values/nearest.ts';
import { stem } from './stem.ts';
import { SYNONYMS } from './synonyms.ts';

export interface Entry {
  address: string;
  page: string;
  heading: string;
  text: string;
}

export interface Found extends Entry {
  excerpt: string;
}

export interface Term {
  word: string;
  stem: string;
  synonyms: readonly string[];
}

const MAX_FOUND = 12;
const EXCERPT_BEFORE = 40;
const EXCERPT_CHARACTERS = 150;

const WORD = /[\p{L}\p{N}_]+/gu;

const COMMON = new Set(
  `a about an and any are at be been being by can could did do does for from had has have how i if in into is it its may me
  many mean means much must my need not of off on or our please should so some that the their them there these they this to us want was we what
  when where whether which who whom whose why will with without would you your`.split(/\s+/),
);

const synonymsOf = Map.groupBy(
  Object.entries(SYNONYMS).flatMap(([ours, theirs]) =>
    theirs.split(' ').map((word) => ({ sought: stem(word), synonym: stem(ours) })),
  ),
  ({ sought }) => sought,
);

export function termsOf(query: string): Term[] {
  // Reads "log in" and "log on" as one word, because "in" and "on" alone are too common to search for.
  const all =
    query
      .toLowerCase()
      .replaceAll(/\blog[ -](?=in\b|on\b)/g, 'log')
      .match(WORD) ?? [];
  const telling = all.filter((word) => !COMMON.has(word));
  return (telling.length === 0 ? all : telling).map((word) => ({
    word,
    stem: stem(word),
    synonyms: (synonymsOf.get(stem(word)) ?? []).map(({ synonym }) => synonym),
  }));
}

function worth(word: string, term: Term): number {
  if (word === term.word) return 3;
  if (stemOf(word) === term.stem) return 2;
  if (term.synonyms.includes(stemOf(word))) return 1.5;
  // The weight is low, so that a search for "fee" prefers "fee" in a text to "feed" in a heading.
  return word.startsWith(term.word) ? 0.3 : 0;
}

const stems = new Map<string, string>();

function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const made = stem(word);
  stems.set(word, made);
  return made;
}

export function foundLength(word: string, terms: readonly Term[]): number {
  const small = word.toLowerCase();
  const beginning = terms.find((term) => small.startsWith(term.word));
  if (beginning !== undefined) return beginning.word.length;
  return terms.some((term) => worth(small, term) > 0) ? word.length : 0;
}

const withParts = (word: string): string[] => (word.includes('_') ? [word, ...word.split('_')] : [word]);

const wordsOfEntries = new WeakMap<Entry, readonly (readonly string[])[]>();

function wordsOf(entry: Entry) {
  const known = wordsOfEntries.get(entry);
  if (known !== undefined) return known;
  const made = [entry.heading, entry.page, entry.text].map((text) => [
    ...new Set((text.toLowerCase().match(WORD) ?? []).flatMap(withParts)),
  ]);
  wordsOfEntries.set(entry, made);
  return made;
}

const HEADING_PAGE_TEXT_WEIGHTS = [8, 3, 1] as const;

export interface Findings {
  found: Found[];
  isWhole: boolean;
}

export function findEntries(entries: readonly Entry[], terms: readonly Term[]): Findings {
  const worths = entries.map((entry) => {
    const fields = wordsOf(entry);
    return terms.map((term) =>
      HEADING_PAGE_TEXT_WEIGHTS.reduce(
        (sum, weight, field) => sum + weight * best(fields[field] as readonly string[], term),
        0,
      ),
    );
  });
  const rarities = terms.map((_, at) =>
    Math.log2(1 + entries.length / (1 + worths.filter((ofTerms) => (ofTerms[at] as number) > 0).length)),
  );
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const scored = worths.flatMap((ofTerms, index) => {
    const entry = entries[index] as Entry;
    let [score, covered] = [0, 0];
    for (const [at, rarity] of rarities.entries()) {
      score += rarity * (ofTerms[at] as number);
      if (ofTerms[at] !== 0) covered += rarity / all;
    }
    if (score === 0) return [];
    return [
      {
        entry,
        isWhole: !ofTerms.includes(0),
        score: (score * covered ** 3) / Math.log2(entry.heading.length + 8),
      },
    ];
  });
  const found = scored
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, terms) }));
  return { found, isWhole: scored.some((one) => one.isWhole) };
}

export function nearQuery(entries: readonly Entry[], query: string): string | undefined {
  const known = new Set(entries.flatMap((entry) => wordsOf(entry).flat()));
  const near = query.replaceAll(WORD, (written) => {
    const [term] = termsOf(written);
    if (term === undefined || written.length < 4 || findEntries(entries, [term]).isWhole) return written;
    return [...known].find((word) => wrongLetters(term.word, word) === 1) ?? written;
  });
  return near === query ? undefined : near;
}

const best = (words: readonly string[], term: Term) =>
  words.reduce((most, word) => Math.max(most, worth(word, term)), 0);

function excerptOf(text: string, terms: readonly Term[]): string {
  const place = [...text.matchAll(WORD)].find(([word]) => foundLength(word, terms) > 0)?.index ?? 0;
  const first = Math.max(0, place - EXCERPT_BEFORE);
  const begin = first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const excerpt = text.slice(begin, begin + EXCERPT_CHARACTERS);
  return begin + EXCERPT_CHARACTERS < text.length ? `${excerpt.replace(/\s+\S*$/, '')} …` : excerpt.trim();
}
