import { arrayText } from '../../../db/postgres/driver/index.ts';
import { sentStatement } from '../../../db/postgres/sent-statement.ts';
import { statementsOf } from '../../../db/statement.ts';
import { ADD_SUMS, addSumsValues } from '../../../ledger/postgres/add-to-totals.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import { STORED_FIELDS, type StoredRow } from '../../stored-rows.ts';
import type { ChangeChunk, CopyStatement } from '../copy-target.ts';

const written = statementsOf(new URL('../copy.sql', import.meta.url));
const INSERT = sentStatement(written('insertTransactions'));
const COMPLETE = sentStatement(written('completeTransactions'));

/** If the number of rows differs, casting the text to bigint makes the statement fail. */
const counted = (written: string, what: string, expected: number): string => `WITH written AS (
${written}
)
SELECT CASE WHEN count(*) = ${expected} THEN count(*) ELSE concat('the database wrote ', count(*), ' of ${expected} ${what}')::bigint END FROM written`;

const arraysOf = (chunks: readonly ChangeChunk[], ...names: Exclude<keyof ChangeChunk, 'rows'>[]): string[] =>
  names.map((name) => arrayText(chunks.map((chunk) => chunk[name] ?? null)));

const HEADS = 'unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (account, after, up_to)';

/** `= ANY(ARRAY[given.account])` in place of `= given.account` makes the planner use the index. */
function headsStatement(chunks: readonly ChangeChunk[], { isFirst }: { isFirst: boolean }): CopyStatement {
  const text = isFirst
    ? `INSERT INTO accounts AS a (account, head_sequence) SELECT account, up_to FROM ${HEADS} ORDER BY account
ON CONFLICT (account) DO UPDATE SET head_sequence = EXCLUDED.head_sequence WHERE a.head_sequence = 0`
    : `UPDATE accounts AS a SET head_sequence = given.up_to FROM ${HEADS}
WHERE a.account = ANY(ARRAY[given.account]) AND a.head_sequence = given.after`;
  return {
    text: counted(`${text} RETURNING 1`, 'heads', chunks.length),
    values: arraysOf(chunks, 'account', 'after', 'upTo'),
  };
}

/** Pending and final changes have separate indexes, so there are two queries. */
const LAST_CHANGES = ['pending', 'final']
  .map(
    (kind) =>
      `SELECT 1 FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (account, after, nonce)
JOIN transactions AS t ON t.account = given.account AND t.${kind}_sequence = given.after AND t.${kind}_nonce = given.nonce`,
  )
  .join('\nUNION ALL\n');

function lastChangesStatement(chunks: readonly ChangeChunk[]): CopyStatement {
  return {
    text: counted(LAST_CHANGES, 'changes at which chunks go on', chunks.length),
    values: arraysOf(chunks, 'account', 'after', 'afterNonce'),
  };
}

interface OwnedRow {
  account: string;
  row: StoredRow;
}

const columnsOf = (rows: readonly OwnedRow[]) =>
  Object.fromEntries([
    ['account', arrayText(rows.map(({ account }) => account))],
    ...STORED_FIELDS.map((field) => [field, arrayText(rows.map(({ row }) => row[field]))]),
  ]);

/** The rows of accounts are locked first. These locks keep other programs from recording. */
export function changeStatements(chunks: readonly ChangeChunk[]): CopyStatement[] {
  const [first, later] = [chunks.filter(({ after }) => after === 0), chunks.filter(({ after }) => after > 0)];
  const going = chunks.filter(({ afterNonce }) => afterNonce !== undefined);
  const inserted: OwnedRow[] = [];
  const advancing: OwnedRow[] = [];
  for (const { account, after, rows } of chunks)
    for (const row of rows) (wasPendingAt(row, after) ? advancing : inserted).push({ account, row });
  const sums = chunks.flatMap(({ account, after, rows }) =>
    sumsOfChanges(rows, after).map((sum) => ({ ...sum, account })),
  );
  const write = (
    { text, valuesOf }: typeof INSERT,
    what: string,
    rows: readonly OwnedRow[],
  ): CopyStatement => ({
    text: counted(text, what, rows.length),
    values: valuesOf(columnsOf(rows)),
  });
  return [
    first.length > 0 && headsStatement(first, { isFirst: true }),
    later.length > 0 && headsStatement(later, { isFirst: false }),
    going.length > 0 && lastChangesStatement(going),
    inserted.length > 0 && write(INSERT, 'new transactions', inserted),
    advancing.length > 0 && write(COMPLETE, 'transactions with a final status', advancing),
    sums.length > 0 && { text: ADD_SUMS.text, values: addSumsValues(sums) },
  ].filter((statement) => statement !== false);
}
