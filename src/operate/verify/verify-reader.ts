import type { ArchiveReader } from '../../ledger/archives/archive.ts';
import type { Change } from '../../ledger/changes/change.ts';
import type { TransactionNumbers } from '../../ledger/changes/numbered-changes.ts';
import type { Position } from '../../ledger/list/list-query.ts';
import type { SealBlock, SealHead } from '../../ledger/seals/seal.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import type { RecordTable, Table } from '../../values/tables.ts';
import type { CopyMark } from '../copy/copy-mark.ts';
import type { Disagreement } from './disagreement.ts';
import type { RefusedRow, ValueCheck } from './value-checks.ts';

/** A transaction as the database has it: damaged values included, of which some are null. */
export type StoredRow = Pick<Transaction, 'reference' | 'createdAtMs'> & {
  [Field in Exclude<keyof Transaction, 'reference' | 'createdAtMs'>]: Transaction[Field] | null;
} & TransactionNumbers;

/** A change as the feed shows it, with its transaction as it is stored now. */
export interface StoredChange extends Change {
  row: StoredRow;
}

export type StoredField = keyof StoredRow;

export interface RowRange {
  /** Null begins with the first transaction. */
  from: Position | null;
  isInclusive: boolean;
  /** Transactions that were created before it; null for all. */
  beforeMs: number | null;
  limit: number;
}

/** The head of an account, and its largest number by the indexes of numbers, read in one snapshot. */
export interface StoredHead {
  /** Null if the account has no row for it. */
  head: number | null;
  /** The head when the erasure began that has not ended; null if there is none. */
  closedAtSequence: number | null;
  largest: number;
}

export interface StoredTotal {
  /** Counted from 1970-01-01. */
  day: number;
  currencyCode: string;
  status: string;
  count: number;
  amountMinor: bigint;
}

/** A part of the stored totals of an account, read in one snapshot. */
export interface PartOfTotals {
  /** The largest number of the account's transactions; 0 if it has none. */
  upTo: number;
  days: StoredTotal[];
}

/** Days from `from` to before `before`, counted from 1970-01-01; null is open. */
export interface DaysPart {
  from: number | null;
  before: number | null;
}

/** The columns of a small table as text, number or null, by their names. */
export type StoredRecord = Readonly<Record<string, string | number | null>>;

/** A page of a small table, and where the next one begins; undefined after the last. */
export interface RecordPage {
  records: StoredRecord[];
  next: readonly (string | number)[] | undefined;
}

/** What the schema is compared with, and what can be read through it. */
export interface SchemaCheck {
  disagreements: Disagreement[];
  /** How many tables, columns, indexes, constraints and policies were compared. */
  compared: number;
  /** The tables that can be read. */
  tables: ReadonlySet<string>;
  /** The CHECKs that the migrations state, of the tables that can be read. */
  checks: ReadonlyMap<Table, readonly ValueCheck[]>;
  /** What transactions are read through, in the order of createdAt and reference; null if that is missing. */
  rowOrder: string | null;
}

/** What the database itself finds in its pages and indexes. */
export interface StorageCheck {
  disagreements: Disagreement[];
  /** How many indexes were compared with their tables. */
  indexes: number;
  /** Why indexes were not compared, and how they can be; null if they were. */
  notChecked: string | null;
}

/**
 * The reads of `transactions verify`. Each but checkStorage and readRefused is short, and sees all that was committed before it began.
 *
 * Every method throws StoreUnavailable if the database can't answer now, and StorageDamaged if it can't read what it stored.
 */
export interface VerifyReader extends ArchiveReader {
  checkSchema(): Promise<SchemaCheck>;
  /** The mark of a copy that has not ended. */
  readMark(): Promise<CopyMark | undefined>;
  /**
   * Lets the database compare each of its indexes with its table, entry by entry. Reads everything, in long snapshots. `onProgress` is called
   * with what is compared now, some times in a second at most.
   */
  checkStorage(onProgress: (what: string) => void): Promise<StorageCheck>;
  /** The rows of a statement of `selectRefused`, which reads a whole table in a long snapshot. */
  readRefused(sql: string, account: readonly string[]): Promise<RefusedRow[]>;
  /** The next account that any table has, in the order of accounts. */
  nextAccount(after: string): Promise<string | undefined>;
  readHead(account: string): Promise<StoredHead>;
  /** Whether the account has a transaction, or lacks some: it has an archive, or is being erased. */
  canHaveTransaction(account: string, reference: string): Promise<boolean>;
  /** Whether the audit trail has an entry of an archive of the account with this detail. */
  hasArchiveEntry(account: string, detail: string): Promise<boolean>;
  /** Transactions by createdAt and reference. */
  readRows(account: string, range: RowRange): Promise<StoredRow[]>;
  /** The day of the total of days that is `count` totals after the first one from `fromDay`, or undefined. */
  findDayAfter(account: string, fromDay: number | null, count: number): Promise<number | undefined>;
  readStoredTotals(account: string, part: DaysPart): Promise<PartOfTotals>;
  /** The seal of the last sealed change; undefined without one. */
  readSealHead(account: string): Promise<SealHead | undefined>;
  /** The whole blocks that end after a number, up to another. */
  readSealBlocks(account: string, after: number, upTo: number): Promise<SealBlock[]>;
  /**
   * The changes after a number, up to another, in their order; some can be missing or damaged, and two can have one number. `limit` is the
   * most that are returned.
   */
  readFeed(account: string, after: number, upTo: number, limit?: number): Promise<StoredChange[]>;
  /** The records of a table, of one account or of all, after a position. */
  readRecords(
    table: RecordTable,
    account: string | null,
    after: readonly (string | number)[] | null,
  ): Promise<RecordPage>;
  /** Whether a table of accounts has the record with a key. */
  hasRecord(table: RecordTable, key: readonly (string | number)[]): Promise<boolean>;
  close(): Promise<void>;
}

/** The database reports that what it stored is damaged. The message says what it reported. */
export class StorageDamaged extends Error {
  override readonly name = 'StorageDamaged';
}
