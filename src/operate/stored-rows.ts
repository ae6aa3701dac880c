import { type RecordTable, TABLES, tablesWith } from '../../values/tables.ts';
import { type ChangesRow, NUMBER_COLUMNS, numbersOf } from '../ledger/changes/change.ts';
import { COLUMNS, transactionOf } from '../ledger/transaction.ts';
import type { RecordPage, RowRange, StoredField, StoredRecord, StoredRow } from './verify/stored.ts';

/**
 * A transaction as it is stored, with its numbers: the columns that SQL lists, by their fields. The account
 * comes before them.
 */
const STORED = (({ account: _, ...columns }) => ({ ...columns, ...NUMBER_COLUMNS }))(COLUMNS);

export const STORED_FIELDS = Object.keys(STORED) as StoredField[];
export const STORED_COLUMNS = Object.values(STORED);

export const STORED_COLUMN_LIST = STORED_COLUMNS.join(', ');

type OrNulls<Row extends unknown[]> = { [At in keyof Row]: Row[At] | null };

/** The values of STORED_COLUMNS. Further ones can follow. */
export type StoredValues = OrNulls<ChangesRow>;

export const storedRowOf = (row: StoredValues): StoredRow => ({
  ...transactionOf(row as ChangesRow),
  ...numbersOf(row as ChangesRow),
});

export const storedValuesOf = (row: StoredRow): StoredValues =>
  STORED_FIELDS.map((field) => row[field]) as StoredValues;

export const isSameRow = (left: StoredRow, right: StoredRow): boolean =>
  STORED_FIELDS.every((field) => left[field] === right[field]);

/** The parameters of a read of transactions, in the order of its statement. */
export const rowRangeValues = (account: string, { from, beforeMs, limit }: RowRange): (string | number)[] => [
  account,
  limit,
  ...(from === null ? [] : [from.createdAtMs, from.reference]),
  ...(beforeMs === null ? [] : [beforeMs]),
];

/** The columns of a small table, and those of its key, in whose order it is read. */
export const recordColumns = (table: RecordTable): { key: readonly string[]; columns: readonly string[] } =>
  TABLES[table];

/** The most records of a page. An export's record can have some kilobytes. */
export const RECORD_PAGE_SIZE = 500;

/** The page of rows that have the columns of a table, read with the limit RECORD_PAGE_SIZE. */
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
