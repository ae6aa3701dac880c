import type { Transaction } from '../../client/src/transaction.ts';
import { foldedText } from '../../src/values/folded-text.ts';
import { detailName } from './detail-name.ts';
import { texts } from './language.ts';

/** A text of a transaction that a search compares. */
interface SearchedText {
  /** The column that shows it, as files name it: `merchantReference` or `details.customer`. */
  column: string;
  /** What people call it: "Your reference", "Customer". */
  name: string;
  text: string;
}

export const searchedTexts = ({
  reference,
  merchantReference,
  details = {},
}: Transaction): SearchedText[] => [
  { column: 'reference', name: texts.$reference, text: reference },
  ...(merchantReference === null
    ? []
    : [{ column: 'merchantReference', name: texts.$yourReference, text: merchantReference }]),
  ...Object.entries(details).map(([name, text]) => ({
    column: `details.${name}`,
    name: detailName(name),
    text,
  })),
];

/** A text in pieces: those at odd places are the words that were searched for. */
export function piecesOf(text: string, words: readonly string[]): string[] {
  const shown = text.normalize('NFC');
  const compared = foldedText(shown);
  const pieces: string[] = [];
  let begin = 0;
  // Both have the same places, because a folded letter is one letter.
  for (;;) {
    const next = words
      .map(foldedText)
      .map((word) => ({ at: compared.indexOf(word, begin), length: word.length }))
      .filter(({ at, length }) => at >= 0 && length > 0)
      .sort((left, right) => left.at - right.at || right.length - left.length)[0];
    if (next === undefined) break;
    pieces.push(shown.slice(begin, next.at), shown.slice(next.at, next.at + next.length));
    begin = next.at + next.length;
  }
  return [...pieces, shown.slice(begin)];
}
