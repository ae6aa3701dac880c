import pg from 'pg';
import { arrayText, type Background, readStatement } from '../../../db/postgres/driver/index.ts';
import { nonceSql } from '../../changes/postgres/list-changes.ts';
import type { ChangeSums, DaySum, TotalsUpdater } from '../totals.ts';
import { monthSums } from '../totals-sum.ts';

type AddToTotals = TotalsUpdater['addToTotals'];

const COLUMNS = 'currency_code, status, count, amount';

/**
 * Recordings would wait for the disk behind each. After a crash, all of it is there or none, and it is added again. The statements have no
 * BEGIN, without which SET LOCAL leaves a warning in the log of the server.
 */
export const COMMIT_LATER = readStatement("SELECT set_config('synchronous_commit', 'off', true)", (row) =>
  row.text(),
);

const MAKE_PROGRESS_ROW = readStatement(
  'INSERT INTO totals_progress (account, sequence) VALUES ($1, 0) ON CONFLICT (account) DO NOTHING',
  () => undefined,
);

const addSql = (table: string, period: string, sums: string) =>
  `INSERT INTO ${table} AS t (account, ${period}, ${COLUMNS}) ${sums}
ON CONFLICT (account, ${period}, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount`;

const addArraysSql = (table: string, period: string, first: number) => {
  const arrays = ['integer', 'text', 'text', 'bigint', 'numeric'].map(
    (type, index) => `$${first + index}::${type}[]`,
  );
  return addSql(
    table,
    period,
    `SELECT moved.account, added.* FROM moved CROSS JOIN unnest(${arrays.join(', ')}) AS added (${period}, ${COLUMNS})`,
  );
};

/**
 * Moves the number of the stored totals of the account $1 from $2 to $3, whose change has the nonce $4, and adds the sums if it did. Of two statements at once, the
 * second waits for the row of the first, and finds another number in it. No recording locks a row of these tables.
 */
const ADD = readStatement(
  `WITH moved AS (
  UPDATE totals_progress SET sequence = $3 WHERE account = $1 AND sequence = $2 AND ${nonceSql('$1', '$3')} = $4 RETURNING account
), added_days AS (
${addArraysSql('daily_totals', 'day', 5)}
), added_months AS (
${addArraysSql('monthly_totals', 'month', 10)}
)
SELECT count(*) FROM moved`,
  (row) => row.integer(),
);

interface Sum extends Omit<DaySum, 'day'> {
  period: number;
}

const daysOf = (sums: readonly DaySum[]): Sum[] => sums.map(({ day, ...sum }) => ({ ...sum, period: day }));
const monthsOf = (sums: readonly DaySum[]): Sum[] =>
  monthSums(sums).map(({ month, ...sum }) => ({ ...sum, period: month }));

const arraysOf = (sums: readonly Sum[]): string[] =>
  [
    sums.map(({ period }) => period),
    sums.map(({ currencyCode }) => currencyCode),
    sums.map(({ status }) => status),
    sums.map(({ count }) => count),
    sums.map(({ amountMinor }) => String(amountMinor)),
  ].map(arrayText);

export const addOnPostgres =
  (background: Background): AddToTotals =>
  async (account, from, upTo, { sums, lastNonce }) => {
    const [, , [moved]] = await background.transact(account, [
      { statement: COMMIT_LATER, values: [] },
      { statement: MAKE_PROGRESS_ROW, values: [account] },
      {
        statement: ADD,
        values: [account, from, upTo, lastNonce, ...arraysOf(daysOf(sums)), ...arraysOf(monthsOf(sums))],
      },
    ]);
    return moved === 1;
  };

/**
 * The statements that add sums of days to the stored totals of an account whose row of `totals_progress` fulfils a condition. They name the account as a
 * value, by which Citus finds the shard.
 */
export function addSumsScript(account: string, condition: string, sums: readonly DaySum[]): string {
  const add = (table: string, period: string, added: readonly Sum[]) => {
    const [periods, currencies, statuses, counts, amounts] = arraysOf(added).map(pg.escapeLiteral);
    return addSql(
      table,
      period,
      `SELECT totals_progress.account, added.* FROM totals_progress CROSS JOIN unnest(${periods}::integer[], ${currencies}::text[], ${statuses}::text[],
  ${counts}::bigint[], ${amounts}::numeric[]) AS added (${period}, ${COLUMNS})
WHERE totals_progress.account = ${pg.escapeLiteral(account)} AND ${condition}`,
    );
  };
  return `${add('daily_totals', 'day', daysOf(sums))};
${add('monthly_totals', 'month', monthsOf(sums))}`;
}

/**
 * The script that adds sums on Citus, where each statement names the account as a value, by which it finds the shard, and sees what was committed
 * before it began: sums are added while the row of `totals_progress` is locked and has the number `from`, and then the number moves.
 */
function addScript(account: string, from: number, upTo: number, { sums, lastNonce }: ChangeSums): string {
  const name = pg.escapeLiteral(account);
  const isFromHere = `totals_progress.sequence = ${from} AND ${nonceSql(name, String(upTo))} = ${lastNonce}`;
  return `INSERT INTO totals_progress (account, sequence) VALUES (${name}, 0) ON CONFLICT (account) DO NOTHING;
SELECT sequence FROM totals_progress WHERE account = ${name} FOR NO KEY UPDATE;
${addSumsScript(account, isFromHere, sums)};
UPDATE totals_progress SET sequence = ${upTo} WHERE totals_progress.account = ${name} AND ${isFromHere} RETURNING sequence`;
}

export const addOnCitus =
  (background: Background): AddToTotals =>
  async (account, from, upTo, changes) => {
    const results = await background.script(account, addScript(account, from, upTo, changes));
    return results.at(-1)?.length === 1;
  };
