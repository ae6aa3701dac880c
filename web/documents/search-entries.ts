/** A part of a page that a search can find. */
export interface Entry {
  address: string;
  page: string;
  heading: string;
  text: string;
}

export interface Found extends Entry {
  /** Text around the first word that was found. */
  excerpt: string;
}

const MAX_FOUND = 12;
const EXCERPT_BEFORE = 40;
const EXCERPT_CHARACTERS = 150;

/** Words that say nothing of what is sought. */
const COMMON = new Set(
  'a an and are can do does for how i in is it my of on or please the to what when where with'.split(' '),
);

export function wordsOf(query: string): string[] {
  const all = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
  const telling = all.filter((word) => !COMMON.has(word));
  return telling.length === 0 ? all : telling;
}

/** How well one word is found in a text: as a whole word, at the beginning of one, or not at all. */
function worth(text: string, word: string): number {
  let at = text.indexOf(word);
  let best = 0;
  for (; at !== -1; at = text.indexOf(word, at + 1)) {
    const isBeginning = at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1] as string);
    const isEnd = !/[\p{L}\p{N}_]/u.test(text[at + word.length] ?? ' ');
    if (isBeginning && isEnd) return 3;
    if (isBeginning) best = 2;
  }
  return best;
}

/** What a search found, and whether it has all words of the query. */
export interface Findings {
  found: Found[];
  isWhole: boolean;
}

/** The entries with all words of a query, or else those with the most: the best first. A heading says more than the text below it. */
export function findEntries(entries: readonly Entry[], query: string): Findings {
  const words = wordsOf(query);
  const scored = entries.flatMap((entry) => {
    const [page, heading, text] = [entry.page, entry.heading, entry.text].map((one) => one.toLowerCase());
    const scores = words
      .map(
        (word) =>
          8 * worth(heading as string, word) + 3 * worth(page as string, word) + worth(text as string, word),
      )
      .filter((score) => score > 0);
    if (scores.length === 0) return [];
    const score = scores.reduce((sum, one) => sum + one, 0) / Math.log2(entry.heading.length + 8);
    return [{ entry, words: scores.length, score }];
  });
  const most = Math.max(0, ...scored.map((one) => one.words));
  const found = scored
    .filter((one) => one.words === most)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }));
  return { found, isWhole: most === words.length };
}

function excerptOf(text: string, words: readonly string[]): string {
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((at) => at !== -1);
  const first = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - EXCERPT_BEFORE);
  const begin = first === 0 ? 0 : small.indexOf(' ', first) + 1;
  const excerpt = text.slice(begin, begin + EXCERPT_CHARACTERS);
  // Without a part of a word at its end.
  return begin + EXCERPT_CHARACTERS < text.length ? `${excerpt.replace(/\s+\S*$/, '')} …` : excerpt.trim();
}
