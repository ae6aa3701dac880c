import { CommandFailed } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';
import { type RecordTable, TABLES, type Table, tablesWith } from '../../values/tables.ts';
import {
  type Change,
  type ChangesRow,
  NUMBER_COLUMNS,
  numbersOf,
  type TransactionNumbers,
} from '../ledger/changes/change.ts';
import type { Position } from '../ledger/list/list.ts';
import type { DaySum } from '../ledger/totals/total.ts';
import { COLUMNS, type Transaction, transactionOf } from '../ledger/transaction.ts';
import type { Disagreement } from './disagreement.ts';
import type { ValueCheck } from './value-checks.ts';
import type { VerifyReader } from './verify-reader.ts';

const STORED = (({ account: _, ...columns }) => ({ ...columns, ...NUMBER_COLUMNS }))(COLUMNS);

export const STORED_FIELDS = Object.keys(STORED) as StoredField[];
export const STORED_COLUMNS = Object.values(STORED);

export const STORED_COLUMN_LIST = STORED_COLUMNS.join(', ');

type OrNulls<Row extends unknown[]> = { [At in keyof Row]: Row[At] | null };

export type StoredValues = OrNulls<ChangesRow>;

export const storedRowOf = (row: StoredValues): StoredRow => ({
  ...transactionOf(row as ChangesRow),
  ...numbersOf(row as ChangesRow),
});

export const storedValuesOf = (row: StoredRow): StoredValues =>
  STORED_FIELDS.map((field) => row[field]) as StoredValues;

export const isSameRow = (left: StoredRow, right: StoredRow): boolean =>
  STORED_FIELDS.every((field) => left[field] === right[field]);

export const recordColumns = (table: RecordTable): { key: readonly string[]; columns: readonly string[] } =>
  TABLES[table];

/** The pages are small, because the record of an export can have a few kilobytes. */
export const RECORD_PAGE_SIZE = 500;

/** The rows must have been read with the limit RECORD_PAGE_SIZE. */
export function recordPageOf(
  table: RecordTable,
  rows: readonly (readonly (string | number | null | undefined)[])[],
): RecordPage {
  const { key, columns } = recordColumns(table);
  const records = rows.map(
    (row): StoredRecord => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])),
  );
  const last = rows.length < RECORD_PAGE_SIZE ? undefined : records.at(-1);
  return { records, next: last && key.map((column) => last[column] as string | number) };
}

export const ACCOUNT_TABLES = tablesWith(({ verified }) => verified === 'account');

/** In a damaged database, even a field that should never be null can be null. */
export type StoredRow = Pick<Transaction, 'reference' | 'createdAtMs'> & {
  [Field in Exclude<keyof Transaction, 'reference' | 'createdAtMs'>]: Transaction[Field] | null;
} & TransactionNumbers;

/** `row` is the transaction as it is stored now. */
export interface StoredChange extends Change {
  row: StoredRow;
}

export type StoredField = keyof StoredRow;

export interface StoredHead {
  /** Null if the table `accounts` has no row for the account. */
  head: number | null;
  /** The latest sequence number before the erasure. Null if the account is not being erased. */
  closedAtSequence: number | null;
  largest: number;
}

export interface TotalsChunk {
  /** The largest sequence number. 0 if the account has no transactions. */
  upTo: number;
  days: DaySum[];
}

/** `from` is in the range, and `before` is not. Days are counted from 1970-01-01. Null means no limit. */
export interface DaysChunk {
  from: number | null;
  before: number | null;
}

export type StoredRecord = Readonly<Record<string, string | number | null>>;

/** `next` is the key after which the next page begins. */
export interface RecordPage {
  records: StoredRecord[];
  next: readonly (string | number)[] | undefined;
}

export interface SchemaCheck {
  disagreements: Disagreement[];
  compared: number;
  tables: ReadonlySet<string>;
  checks: ReadonlyMap<Table, readonly ValueCheck[]>;
  /** The index or table that is sorted by createdAt and reference. Null if it is missing or invalid. */
  rowOrder: string | null;
}

export interface StorageCheck {
  disagreements: Disagreement[];
  indexes: number;
  notChecked: string | null;
}

export class StorageDamaged extends CommandFailed {
  readonly report: string;

  constructor(report: string) {
    super(`The database can't read its own data: ${sentence(report)}`);
    this.report = report;
  }
}

export interface RowsToRead {
  pageSize: number;
  fromMs?: number | null;
  beforeMs?: number | null;
}

const LAST_REFERENCE = '\u{10ffff}';

/** The largest JavaScript number that fits into a bigint column. Times in damaged rows can be this large. */
const LARGEST_BIGINT = 2 ** 63 - 1024;

export async function* readAllRows(
  reader: Pick<VerifyReader, 'readRows'>,
  account: string,
  { pageSize, fromMs, beforeMs }: RowsToRead,
): AsyncGenerator<StoredRow[]> {
  const end = beforeMs ?? LARGEST_BIGINT;
  let after: Position = { createdAtMs: (fromMs ?? -LARGEST_BIGINT) - 1, reference: LAST_REFERENCE };
  for (;;) {
    const rows = await reader.readRows(account, after, end, pageSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    // Without this check, the same page could be read again and again because of a damaged reference.
    if (!isAfter([last.createdAtMs, last.reference], [after.createdAtMs, after.reference]))
      throw new StorageDamaged('transactions are not in their order');
    yield rows;
    if (rows.length < pageSize) return;
    after = last;
  }
}

export async function* readAllRecords(
  reader: Pick<VerifyReader, 'readRecords'>,
  table: RecordTable,
  account: string | null,
): AsyncGenerator<StoredRecord[]> {
  for (let after: Key | null | undefined = null; after !== undefined; ) {
    const { records, next }: RecordPage = await reader.readRecords(table, account, after);
    yield records;
    if (after !== null && next !== undefined && !isAfter(next, after))
      throw new StorageDamaged(`rows of ${table} are not in their order`);
    after = next;
  }
}

type Key = readonly (string | number)[];

export function isAfter(key: Key, last: Key): boolean {
  for (const [at, value] of key.entries()) {
    const before = last[at] ?? '';
    const order =
      typeof value === 'number' && typeof before === 'number'
        ? value - before
        : Buffer.compare(Buffer.from(String(value)), Buffer.from(String(before)));
    if (order !== 0) return order > 0;
  }
  return false;
}
