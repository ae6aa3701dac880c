import { arrayText } from '../../../db/postgres/driver/index.ts';
import { notedStatuses } from '../../../ledger/recorded-statuses.ts';
import { ADD_SUMS, sumArrays } from '../../../ledger/totals/postgres/add-to-totals.ts';
import { columnsOf } from '../../../ledger/transaction-columns.ts';
import { type CopiedTable, tableRecord } from '../../../values/tables.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import {
  FIXED,
  recordColumns,
  SET_LATER,
  STORED,
  STORED_COLUMN_LIST,
  STORED_FIELDS,
  sameDetailsSql,
} from '../../stored-rows.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import type { ChangePart } from '../copy-target.ts';

/** Transactions as a table: $1 has their accounts, each parameter after it one column. */
const GIVEN = `unnest($1::text[], ${STORED.map(({ type }, at) => `$${at + 2}::${type}[]`).join(', ')}) AS given (account, ${STORED_COLUMN_LIST})`;

/** The columns by which a pending transaction and its final status are the same one, apart from its reference. */
const COMPARED = FIXED.map(({ column }) => column).filter((column) => column !== 'reference');

export interface CopyStatement {
  text: string;
  values: readonly string[];
}

/**
 * Returns the number of rows that a statement wrote, and fails if it is not the expected one: what is sent behind it in the same
 * transaction of the database, its commit included, then has no effect.
 */
const counted = (written: string, what: string, expected: number): string => `WITH written AS (
${written} RETURNING 1
)
SELECT CASE WHEN count(*) = ${expected} THEN count(*) ELSE concat('the database wrote ', count(*), ' of ${expected} ${what}')::bigint END FROM written`;

const HEADS = 'unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (account, after, up_to)';

/**
 * Moves the heads of parts, all of which begin with the first change of their account or none of which does. As an array of one, a name can
 * only be looked up, whatever the statistics say.
 */
function headsStatement(parts: readonly ChangePart[], { isFirst }: { isFirst: boolean }): CopyStatement {
  const text = isFirst
    ? `INSERT INTO accounts AS a (account, head_sequence) SELECT account, up_to FROM ${HEADS} ORDER BY account
ON CONFLICT (account) DO UPDATE SET head_sequence = EXCLUDED.head_sequence WHERE a.head_sequence = 0`
    : `UPDATE accounts AS a SET head_sequence = given.up_to FROM ${HEADS}
WHERE a.account = ANY(ARRAY[given.account]) AND a.head_sequence = given.after`;
  return {
    text: counted(text, 'heads', parts.length),
    values: [
      arrayText(parts.map(({ account }) => account)),
      arrayText(parts.map(({ after }) => after)),
      arrayText(parts.map(({ upTo }) => upTo)),
    ],
  };
}

interface OwnedRow {
  account: string;
  row: StoredRow;
}

const valuesOf = (rows: readonly OwnedRow[]): string[] => [
  arrayText(rows.map(({ account }) => account)),
  ...STORED_FIELDS.map((field) => arrayText(rows.map(({ row }) => row[field]))),
];

const INSERT = `INSERT INTO transactions (account, ${STORED_COLUMN_LIST}) SELECT account, ${STORED_COLUMN_LIST} FROM ${GIVEN}`;

const ADVANCE = `UPDATE transactions AS t SET ${SET_LATER.map(({ column }) => `${column} = given.${column}`).join(', ')}
FROM ${GIVEN} WHERE t.account = given.account AND t.reference = given.reference
  AND (t.status, t.final_sequence, ${columnsOf('t', COMPARED)}) IS NOT DISTINCT FROM ('pending', NULL::bigint, ${columnsOf('given', COMPARED)})
  AND ${sameDetailsSql(
    (column) => `given.${column}`,
    (column) => `t.${column}`,
    'IS NOT DISTINCT FROM',
  )}`;

const NOTE_STATUSES =
  'INSERT INTO recorded_statuses (status) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING';

/** The statements that write parts. Heads come first: their locks keep every other program from writing to these accounts. */
export function changeStatements(parts: readonly ChangePart[]): CopyStatement[] {
  const [first, later] = [parts.filter(({ after }) => after === 0), parts.filter(({ after }) => after > 0)];
  const inserted: OwnedRow[] = [];
  const advancing: OwnedRow[] = [];
  for (const { account, after, rows } of parts)
    for (const row of rows) (wasPendingAt(row, after) ? advancing : inserted).push({ account, row });
  const sums = parts.flatMap(({ account, after, rows }) =>
    sumsOfChanges(rows, after).map((sum) => ({ ...sum, account })),
  );
  const statuses = notedStatuses(parts.flatMap(({ rows }) => rows.map(({ status }) => status)));
  return [
    ...(first.length > 0 ? [headsStatement(first, { isFirst: true })] : []),
    ...(later.length > 0 ? [headsStatement(later, { isFirst: false })] : []),
    ...(statuses.length > 0 ? [{ text: NOTE_STATUSES, values: [arrayText(statuses)] }] : []),
    ...(inserted.length > 0
      ? [{ text: counted(INSERT, 'new transactions', inserted.length), values: valuesOf(inserted) }]
      : []),
    ...(advancing.length > 0
      ? [
          {
            text: counted(ADVANCE, 'transactions with a final status', advancing.length),
            values: valuesOf(advancing),
          },
        ]
      : []),
    ...(sums.length > 0 ? [{ text: ADD_SUMS, values: sumArrays(sums) }] : []),
  ];
}

/** Removes details that the source removed. The parameters are those of removalsOf. */
export const REMOVE_COPIED_DETAILS = `UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = $1
WHERE account = $2 AND reference = $3`;

/** $1 are the records as JSON, whose names are those of the columns. */
export function writeRecordsSql(table: CopiedTable): string {
  const { key, primaryKey = key } = tableRecord(table);
  const { columns } = recordColumns(table);
  const others = columns.filter((column) => !primaryKey.includes(column));
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)
ON CONFLICT (${primaryKey.join(', ')}) DO UPDATE SET ${others.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`;
}

/** The parameters are the values of the keys, one key after the other. */
export function deleteRecordsSql(table: CopiedTable, count: number): string {
  const { key } = recordColumns(table);
  const rowAt = (row: number) => `(${key.map((_, at) => `$${row * key.length + at + 1}`).join(', ')})`;
  return `DELETE FROM ${table} WHERE (${key.join(', ')}) IN (${Array.from({ length: count }, (_, row) => rowAt(row)).join(', ')})`;
}
