import type { Transaction } from '../src/transaction.ts';

/** A line of the file. Values are compared as the text `content`; equal texts are equal values. */
export interface StagedLine {
  line: number;
  /** The value of the key field; null if the line has none. */
  key: string | null;
  /** The form of its times: a small whole number. */
  form: number;
  content: string;
}

/** A transaction of the account. */
export interface StagedTransaction {
  line: null;
  key: string | null;
  content: string;
  transaction: Transaction;
}

/** A line of the file, or a transaction, whose `line` is null. */
export type StagedRow = StagedLine | StagedTransaction;

/**
 * Orders rows by key and content. Of equal rows, the lines come first in their order, then the transactions
 * in the order in which they are given.
 */
export const sortedRows = (
  lines: readonly StagedLine[],
  transactions: readonly StagedTransaction[],
): StagedRow[] =>
  [...lines, ...transactions].sort((one, other) => byContent(one, other) || lineOf(one) - lineOf(other));

/**
 * The rows by key. Within a key, lines and transactions alternate, each in the order of their content: the
 * first line, the first transaction, the second line, and so on.
 */
export function* alternatingRows(given: readonly StagedRow[]): Generator<StagedRow, void, undefined> {
  const rows = given.toSorted(byContent);
  for (let begin = 0, end = 0; begin < rows.length; begin = end) {
    while (end < rows.length && rows[end]?.key === rows[begin]?.key) end++;
    const ofKey = rows.slice(begin, end);
    const [lines, transactions] = [true, false].map((isLine) =>
      ofKey.filter(({ line }) => (line !== null) === isLine),
    );
    for (let place = 0; place < ofKey.length; place++)
      for (const row of [lines?.[place], transactions?.[place]]) if (row !== undefined) yield row;
  }
}

/** Transactions come after lines. */
const lineOf = ({ line }: StagedRow) => line ?? Number.MAX_SAFE_INTEGER;

const byContent = (one: StagedRow, other: StagedRow) =>
  order(one.key, other.key) || order(one.content, other.content);

/** Null comes first. */
function order(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  return other === null || one > other ? 1 : -1;
}
