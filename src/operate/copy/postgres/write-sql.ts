import { arrayText } from '../../../db/postgres/driver/index.ts';
import { ADD_SUMS, sumArrays } from '../../../ledger/totals/postgres/add-to-totals.ts';
import { columnsOf } from '../../../ledger/transaction-columns.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import { FIXED, SET_LATER, STORED, STORED_COLUMN_LIST, STORED_FIELDS } from '../../stored-rows.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import type { ChangePart, CopyStatement } from '../copy-target.ts';

/** Transactions as a table: $1 has their accounts, each parameter after it one column. */
const GIVEN = `unnest($1::text[], ${STORED.map(({ type }, at) => `$${at + 2}::${type}[]`).join(', ')}) AS given (account, ${STORED_COLUMN_LIST})`;

/** The columns by which a pending transaction and its final status are the same one, apart from its reference. */
const COMPARED = FIXED.map(({ column }) => column).filter((column) => column !== 'reference');

/**
 * Returns the number of rows that a statement wrote, and fails if it is not the expected one: what is sent behind it in the same
 * transaction of the database, its commit included, then has no effect.
 */
const counted = (written: string, what: string, expected: number): string => `WITH written AS (
${written}
)
SELECT CASE WHEN count(*) = ${expected} THEN count(*) ELSE concat('the database wrote ', count(*), ' of ${expected} ${what}')::bigint END FROM written`;

const arraysOf = (parts: readonly ChangePart[], ...names: Exclude<keyof ChangePart, 'rows'>[]): string[] =>
  names.map((name) => arrayText(parts.map((part) => part[name] ?? null)));

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
    text: counted(`${text} RETURNING 1`, 'heads', parts.length),
    values: arraysOf(parts, 'account', 'after', 'upTo'),
  };
}

/** Finds the changes at which parts go on, by an index for each kind of number. */
const LAST_CHANGES = ['pending', 'final']
  .map(
    (kind) =>
      `SELECT 1 FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (account, after, nonce)
JOIN transactions AS t ON t.account = given.account AND t.${kind}_sequence = given.after AND t.${kind}_nonce = given.nonce`,
  )
  .join('\nUNION ALL\n');

function lastChangesStatement(parts: readonly ChangePart[]): CopyStatement {
  return {
    text: counted(LAST_CHANGES, 'changes at which parts go on', parts.length),
    values: arraysOf(parts, 'account', 'after', 'afterNonce'),
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
  AND (t.status, t.final_sequence, ${columnsOf('t', COMPARED)}) IS NOT DISTINCT FROM ('pending', NULL::bigint, ${columnsOf('given', COMPARED)})`;

/** The statements that write parts. Heads come first: their locks keep every other program from writing to these accounts. */
export function changeStatements(parts: readonly ChangePart[]): CopyStatement[] {
  const [first, later] = [parts.filter(({ after }) => after === 0), parts.filter(({ after }) => after > 0)];
  const going = parts.filter(({ afterNonce }) => afterNonce !== undefined);
  const inserted: OwnedRow[] = [];
  const advancing: OwnedRow[] = [];
  for (const { account, after, rows } of parts)
    for (const row of rows) (wasPendingAt(row, after) ? advancing : inserted).push({ account, row });
  const sums = parts.flatMap(({ account, after, rows }) =>
    sumsOfChanges(rows, after).map((sum) => ({ ...sum, account })),
  );
  const write = (sql: string, what: string, rows: readonly OwnedRow[]): CopyStatement => ({
    text: counted(`${sql} RETURNING 1`, what, rows.length),
    values: valuesOf(rows),
  });
  return [
    first.length > 0 && headsStatement(first, { isFirst: true }),
    later.length > 0 && headsStatement(later, { isFirst: false }),
    going.length > 0 && lastChangesStatement(going),
    inserted.length > 0 && write(INSERT, 'new transactions', inserted),
    advancing.length > 0 && write(ADVANCE, 'transactions with a final status', advancing),
    sums.length > 0 && { text: ADD_SUMS, values: sumArrays(sums) },
  ].filter((statement) => statement !== false);
}
