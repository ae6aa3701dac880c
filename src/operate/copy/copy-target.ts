import type { CopyMark } from '../copy-mark.ts';
import type { StoredRow } from '../stored-rows.ts';
import type { ChangeRange } from './copy-reader.ts';

/**
 * All changes that the source has in a range of an account. Each transaction of `rows` is as it was at
 * `upTo`. If the transaction's first number is in the range, the target must not have its reference. If not,
 * the target must have the transaction as pending, with the same numbers and the same values of all fields
 * that never change.
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

interface JsonRows {
  from(table: string): string;
  column(name: string): string;
}

/**
 * The writes of `transactions copy`. Only the mark is written to the source. Opening takes a lock, which ends
 * with the process. Every method throws StoreUnavailable if the database can't write now.
 */
export interface CopyTarget {
  /** How SQL reads the JSON array $1, whose objects have the columns of a table as properties. */
  readonly jsonRows: JsonRows;
  mark(mark: CopyMark): Promise<void>;
  /**
   * Writes chunks, at most one for each account, in one database transaction. Moves the head of each account
   * from `after` to `upTo`. Several calls can be in flight, and take effect in their order.
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
