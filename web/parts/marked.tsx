import { piecesOf } from '../text/searched.ts';

/** A text in which the words that were searched for are marked. */
export const Marked = ({ text, words }: { text: string; words: readonly string[] }) => (
  <>
    {piecesOf(text, words).map((piece, index) =>
      index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
    )}
  </>
);
