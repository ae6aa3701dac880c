import type { CopyMark } from '../copy-mark.ts';
import type { StoredRow } from '../stored-rows.ts';
import type { ChangeRange } from './copy-reader.ts';

/**
 * All changes that the source has in a range of an account. Each transaction of `rows` is as it was at
 * `upTo`: if its final number is larger, it is pending here. A row is of one of two kinds:
 *
 * - its first number is in the range: the target must have no transaction with its reference;
 * - its pending number is at most `after`, and its final number is in the range: the target must have it as
 *   pending, with the same numbers, and the same values of all fields that never change.
 */
export interface ChangeChunk extends ChangeRange {
  /** The nonce of the change at `after`, which the target must have too. Undefined if there is none. */
  afterNonce: number | undefined;
  rows: readonly StoredRow[];
}

/** A statement that every database can run. Its parameters are $1, $2 and so on. */
export interface CopyStatement {
  text: string;
  values: readonly (string | number | null)[];
}

/** The rows of a JSON array, in SQL. */
interface JsonRows {
  from(table: string): string;
  column(name: string): string;
}

/**
 * The writes of `transactions copy`, to a database whose schema is up to date. Only the mark is written to
 * the source.
 *
 * Opening takes a lock, which is released when the process ends in any way. Opening throws StoreRefused if
 * another copy writes to the database. Every method throws StoreUnavailable if the database can't write now.
 */
export interface CopyTarget {
  /** How SQL reads the JSON array $1, whose objects have the columns of a table as properties. */
  readonly jsonRows: JsonRows;
  /** Stores the mark, and replaces an earlier one. */
  mark(mark: CopyMark): Promise<void>;
  /**
   * Writes chunks of accounts, at most one for each account, in one database transaction. Sets the head of
   * each account to the `upTo` of its chunk, by compare-and-set from `after` (0 if the account has no head).
   *
   * Several calls can be in flight. The chunks of an account are written in the order of the calls.
   *
   * Throws: CopyFailed, with nothing written, if the target has other data.
   */
  writeChanges(chunks: readonly ChangeChunk[]): Promise<void>;
  /** How many calls of writeChanges can be in flight, so that the database never waits for one. */
  readonly writesInFlight: number;
  run(statements: readonly CopyStatement[]): Promise<void>;
  unmark(): Promise<void>;
  /** Resolves when the writes in flight are done, and the lock is released. */
  close(): Promise<void>;
}
