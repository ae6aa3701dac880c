import type { CopiedTable } from '../../values/tables.ts';
import type { StoredRecord, StoredRow } from '../verify/verify-reader.ts';
import type { CopyMark } from './copy-mark.ts';
import type { ChangeRange } from './copy-reader.ts';

/**
 * Changes of an account, all that the source has in the range. Each transaction of `rows` is as it was at `upTo`: one whose final number is
 * larger is pending here. A row is of one of two kinds:
 *
 * - its first number is in the range: the target must have no transaction with its reference;
 * - its pending number is at most `after`, and its final number is in the range: the target must have it as pending, with the same
 *   `pendingSequence`, `pendingRecordedAtMs` and `pendingNonce`, and the same values of all fields but `status` and `paidAtMs`.
 */
export interface ChangePart extends ChangeRange {
  rows: readonly StoredRow[];
}

/**
 * The writes of `transactions copy`, to a database whose schema is up to date. Nothing that contradicts is ever overwritten. To the source,
 * only the mark is written.
 *
 * Opening it takes a lock, which is released when the process ends in any way: it throws StoreRefused if another copy writes to the
 * database. Every method throws StoreUnavailable if the database can't write now.
 */
export interface CopyTarget {
  /** Stores the mark in the place of an earlier one. */
  mark(mark: CopyMark): Promise<void>;
  /**
   * Writes parts of accounts, at most one of each account, and sets the head of each account to the `upTo` of its part, by
   * compare-and-set from `after` (0 if the account has none), in one transaction of the database.
   *
   * The caller does not wait for a call before it makes the next one. The parts of an account are written in the order of the calls.
   *
   * Throws: CopyFailed if the target has something else. Nothing of the call is written then.
   */
  writeChanges(parts: readonly ChangePart[]): Promise<void>;
  /** How many calls of writeChanges can be in flight, so that the database always has the next one. */
  readonly writesInFlight: number;
  /**
   * Inserts the records of a table, or replaces all columns of those whose key the table has, in one transaction of the database. With an
   * audit entry that details were removed, they are removed from the transaction.
   */
  writeRecords(table: CopiedTable, records: readonly StoredRecord[]): Promise<void>;
  /** Deletes records by their keys, whose columns are in the order of the table's key, in one transaction of the database. */
  deleteRecords(table: CopiedTable, keys: readonly (readonly (string | number)[])[]): Promise<void>;
  /** Removes the mark. */
  unmark(): Promise<void>;
  /** Resolves when the writes in flight are done, and the lock is released. */
  close(): Promise<void>;
}

/** The audit entries that details were removed: when, and from which transaction. */
export const removalsOf = (table: CopiedTable, records: readonly StoredRecord[]) =>
  table !== 'account_audit'
    ? []
    : records
        .filter(({ action }) => action === 'details.removed')
        .map(
          ({ at_ms: atMs, account, subject }) => [Number(atMs), String(account), String(subject)] as const,
        );
