import type { Table } from '../../../values/tables.ts';
import type { Change, TransactionNumbers } from '../../ledger/changes/change.ts';
import type { Position } from '../../ledger/list/list.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import type { Disagreement } from './disagreement.ts';
import type { ValueCheck } from './value-checks.ts';

/** A transaction as it is stored, including damaged values, which can be null. */
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
  /** The head at which an unfinished erasure began; null if there is none. */
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

/** A chunk of the stored totals of an account, read in one snapshot. */
export interface TotalsChunk {
  /** The largest number of the account's transactions; 0 if it has none. */
  upTo: number;
  days: StoredTotal[];
}

/** Days from `from` to before `before`, counted from 1970-01-01; null is open. */
export interface DaysChunk {
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

/** The result of comparing the schema: its disagreements, and what can be read. */
export interface SchemaCheck {
  disagreements: Disagreement[];
  /** How many tables, columns, indexes, constraints and policies were compared. */
  compared: number;
  tables: ReadonlySet<string>;
  /** The CHECKs that the migrations state, of the tables that can be read. */
  checks: ReadonlyMap<Table, readonly ValueCheck[]>;
  /** The index that transactions are read through, by createdAt and reference; null if it is missing. */
  rowOrder: string | null;
}

/** The faults that the database itself finds in its pages and indexes. */
export interface StorageCheck {
  disagreements: Disagreement[];
  /** How many indexes were compared with their tables. */
  indexes: number;
  /** Why indexes were not compared, and how they can be; null if they were. */
  notChecked: string | null;
}

/** The database reports that what it stored is damaged. The message says what it reported. */
export class StorageDamaged extends Error {
  override readonly name = 'StorageDamaged';
}
