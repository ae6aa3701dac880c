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

export const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');

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

/** The entries that have all words of a query, the best first: a heading says more than the text below it. */
export function findEntries(entries: readonly Entry[], query: string): Found[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = entries.flatMap((entry) => {
    const [page, heading, text] = [entry.page, entry.heading, entry.text].map((one) => one.toLowerCase());
    let score = 0;
    for (const word of words) {
      const found =
        8 * worth(heading as string, word) + 3 * worth(page as string, word) + worth(text as string, word);
      if (found === 0) return [];
      score += found;
    }
    return [{ entry, score: score / Math.log2(entry.heading.length + 8) }];
  });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((at) => at !== -1);
  const first = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - EXCERPT_BEFORE);
  const begin = first === 0 ? 0 : small.indexOf(' ', first) + 1;
  return text.slice(begin, begin + EXCERPT_CHARACTERS).trim();
}
