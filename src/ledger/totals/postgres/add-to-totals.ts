import pg from 'pg';
import { arrayText } from '../../../db/postgres/driver/index.ts';
import { DAY_MS } from '../../../values/days.ts';
import { type DaySum, damagedTotals } from '../totals.ts';

/** The first day that a transaction can have, before 1970. Division rounds towards 0, so days are counted from it. */
const FIRST_DAY = -719_162;
/** The day of `created_at_ms`. */
export const DAY = `(created_at_ms + ${-FIRST_DAY * DAY_MS}) / ${DAY_MS} - ${-FIRST_DAY}`;

const SUM_COLUMNS = 'account, day, currency_code, status, count, amount';

/** Fails, with the text as what is no number, if the count is negative. A constraint would also refuse the row before it is added. */
const REFUSE_NEGATIVE = `CASE WHEN t.count < 0 THEN (${pg.escapeLiteral(damagedTotals('|')).replace('|', "' || t.account || '")})::bigint END`;

/**
 * Adds rows of `SUM_COLUMNS` to the stored totals, none of which may have the day, currency and status of another. The caller
 * has locked the heads of the accounts before, as recordings do, so no two wait for rows of each other.
 */
export const addSumsSql = (sums: string): string => `INSERT INTO daily_totals AS t (${SUM_COLUMNS}) ${sums}
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING ${REFUSE_NEGATIVE}`;

interface AccountSum extends DaySum {
  account: string;
}

/** The parameters of `ADD_SUMS`. */
export const sumArrays = (sums: readonly AccountSum[]): string[] =>
  [
    sums.map(({ account }) => account),
    sums.map(({ day }) => day),
    sums.map(({ currencyCode }) => currencyCode),
    sums.map(({ status }) => status),
    sums.map(({ count }) => count),
    sums.map(({ amountMinor }) => String(amountMinor)),
  ].map(arrayText);

const givenSums = (arrays: readonly string[]) =>
  `unnest(${['text', 'integer', 'text', 'text', 'bigint', 'numeric'].map((type, at) => `${arrays[at]}::${type}[]`).join(', ')}) AS given (${SUM_COLUMNS})`;

/** Adds sums that are given as arrays of one column each. */
export const ADD_SUMS = addSumsSql(`SELECT * FROM ${givenSums(['$1', '$2', '$3', '$4', '$5', '$6'])}`);

/** The statement that adds sums of one account, which it names as a value, by which Citus finds the shard. */
export function addSumsScript(account: string, sums: readonly DaySum[]): string {
  const arrays = sumArrays(sums.map((sum) => ({ ...sum, account }))).map(pg.escapeLiteral);
  const name = pg.escapeLiteral(account);
  return addSumsSql(
    `SELECT accounts.account, given.day, given.currency_code, given.status, given.count, given.amount
FROM accounts CROSS JOIN ${givenSums(arrays)} WHERE accounts.account = ${name}`,
  );
}
