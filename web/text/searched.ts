import type { Transaction } from '../../client/src/transaction.ts';
import { searchExpression } from '../../values/search-pattern.ts';
import { detailName } from './detail-name.ts';
import { labels } from './labels.ts';

interface SearchedText {
  /** The name of the column in files: `merchantReference` or `details.customer`. */
  column: string;
  name: string;
  text: string;
}

export const searchedTexts = ({
  reference,
  merchantReference,
  details = {},
}: Transaction): SearchedText[] => [
  { column: 'reference', name: labels.reference, text: reference },
  ...(merchantReference === null
    ? []
    : [{ column: 'merchantReference', name: labels.merchantReference, text: merchantReference }]),
  ...Object.entries(details).map(([name, text]) => ({
    column: `details.${name}`,
    name: detailName(name),
    text,
  })),
];

/** Pieces at odd indexes are words of the search. */
export function piecesOf(text: string, words: readonly string[]): string[] {
  const shown = text.normalize('NFC');
  const pieces: string[] = [];
  let rest = shown;
  for (;;) {
    const next = words
      .filter((word) => word !== '')
      .map((word) => searchExpression(word).exec(rest))
      .filter((found) => found !== null)
      .sort((left, right) => left.index - right.index || right[0].length - left[0].length)[0];
    if (next === undefined) break;
    pieces.push(rest.slice(0, next.index), next[0]);
    rest = rest.slice(next.index + next[0].length);
  }
  return [...pieces, rest];
}
