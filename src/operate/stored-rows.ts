import { CREATED_COLUMNS, FAILURE_COLUMNS } from '../webhooks/webhook-columns.ts';
import type {
  RecordPage,
  RecordTable,
  RowRange,
  StoredField,
  StoredRecord,
  StoredRow,
} from './verify/verify-reader.ts';

/** The column of each field of a transaction as it is stored. */
export const STORED_COLUMNS: Readonly<Record<StoredField, string>> = {
  reference: 'reference',
  createdAtMs: 'created_at_ms',
  merchantReference: 'merchant_reference',
  status: 'status',
  amountMinor: 'amount_minor',
  currencyCode: 'currency_code',
  paidAtMs: 'paid_at_ms',
  pendingSequence: 'pending_sequence',
  pendingRecordedAtMs: 'pending_recorded_at_ms',
  pendingNonce: 'pending_nonce',
  finalSequence: 'final_sequence',
  finalRecordedAtMs: 'final_recorded_at_ms',
  finalNonce: 'final_nonce',
};

export const STORED_FIELDS = Object.keys(STORED_COLUMNS) as StoredField[];

/** The fields that the final change of a transaction sets. The others stay as the first change recorded them. */
export const SET_BY_FINAL_CHANGE: ReadonlySet<StoredField> = new Set([
  'status',
  'paidAtMs',
  'finalSequence',
  'finalRecordedAtMs',
  'finalNonce',
]);

/** The columns of a StoredValues row. */
export const STORED_COLUMN_LIST = Object.values(STORED_COLUMNS).join(', ');

export type StoredValues = [
  reference: string,
  createdAtMs: number,
  merchantReference: string | null,
  status: string | null,
  amountMinor: number | null,
  currencyCode: string | null,
  paidAtMs: number | null,
  pendingSequence: number | null,
  pendingRecordedAtMs: number | null,
  pendingNonce: number | null,
  finalSequence: number | null,
  finalRecordedAtMs: number | null,
  finalNonce: number | null,
];

/** Written out, as transactionOf is. */
export const storedRowOf = (row: StoredValues): StoredRow => ({
  reference: row[0],
  createdAtMs: row[1],
  merchantReference: row[2],
  status: row[3],
  amountMinor: row[4],
  currencyCode: row[5],
  paidAtMs: row[6],
  pendingSequence: row[7],
  pendingRecordedAtMs: row[8],
  pendingNonce: row[9],
  finalSequence: row[10],
  finalRecordedAtMs: row[11],
  finalNonce: row[12],
});

/** Written out, as storedRowOf is. */
export const storedValuesOf = (row: StoredRow): StoredValues => [
  row.reference,
  row.createdAtMs,
  row.merchantReference,
  row.status,
  row.amountMinor,
  row.currencyCode,
  row.paidAtMs,
  row.pendingSequence,
  row.pendingRecordedAtMs,
  row.pendingNonce,
  row.finalSequence,
  row.finalRecordedAtMs,
  row.finalNonce,
];

/** The parameters of a read of transactions, in the order of its statement. */
export const rowRangeValues = (account: string, { from, beforeMs, limit }: RowRange): (string | number)[] => [
  account,
  limit,
  ...(from === null ? [] : [from.createdAtMs, from.reference]),
  ...(beforeMs === null ? [] : [beforeMs]),
];

interface RecordColumns {
  /** The order of the records. */
  key: readonly string[];
  columns: readonly string[];
}

/** The small tables that are verified. */
export const RECORD_COLUMNS: Readonly<Record<RecordTable, RecordColumns>> = {
  api_keys: {
    key: ['account', 'id'],
    columns: [
      'account',
      'id',
      'hash',
      'label',
      'created_at_ms',
      'expires_at_ms',
      'revoked_at_ms',
      'scopes',
      'account_prefix',
      'rolled_at_ms',
      'expires_before_roll_ms',
      'key_start',
      'last_used_at_ms',
      'end_recorded_at_ms',
    ],
  },
  idempotency_keys: { key: ['account', 'key'], columns: ['account', 'key', 'fingerprint', 'reference'] },
  cursor_secret: { key: ['only_row'], columns: ['only_row', 'secret', 'created_at_ms'] },
  recorded_statuses: { key: ['status'], columns: ['status'] },
  exports: { key: ['account', 'id'], columns: ['account', 'id', 'started_at_ms', 'attempt', 'record'] },
  webhook_endpoints: { key: ['account', 'id'], columns: CREATED_COLUMNS },
  webhook_failures: {
    key: ['account', 'endpoint_id', 'sequence'],
    columns: ['account', 'endpoint_id', ...FAILURE_COLUMNS],
  },
  webhook_instances: { key: ['instance'], columns: ['instance', 'expires_at_ms'] },
  webhook_leases: { key: ['bucket'], columns: ['bucket', 'instance'] },
};

/** The most records of a page. An export's record can have some kilobytes. */
export const RECORD_PAGE_SIZE = 500;

/** The page of rows that have the columns of a table, read with the limit RECORD_PAGE_SIZE. */
export function recordPageOf(
  table: RecordTable,
  rows: readonly (readonly (string | number | null | undefined)[])[],
): RecordPage {
  const { key, columns } = RECORD_COLUMNS[table];
  const records = rows.map(
    (row): StoredRecord => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])),
  );
  const last = rows.length < RECORD_PAGE_SIZE ? undefined : records.at(-1);
  return { records, next: last && key.map((column) => last[column] as string | number) };
}

/** The tables in which accounts are looked for. */
export const ACCOUNT_TABLES = [
  'transactions',
  'accounts',
  'folded',
  'daily_totals',
  'monthly_totals',
] as const;
