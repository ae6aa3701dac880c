import type { DatabaseSync } from 'node:sqlite';
import { nonceReader } from '../../changes/sqlite/list-changes.ts';
import { type AccountBehind, type ChangeSums, type DaySum, isBehind } from '../totals.ts';
import { monthSums } from '../totals-sum.ts';
import { AMOUNT_HIGH_UNIT } from './totals.ts';

/** The write of TotalsUpdater, inside the caller's transaction of the database. */
export interface TotalsWriter {
  addToTotals(account: string, from: number, upTo: number, changes: ChangeSums): boolean;
}

export function totalsWriter(db: DatabaseSync): TotalsWriter {
  const begin = db.prepare(
    'INSERT INTO totals_progress (account, sequence) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const advance = db.prepare('UPDATE totals_progress SET sequence = ? WHERE account = ? AND sequence = ?');
  const nonceOf = nonceReader(db);
  const add = sumAdder(db);

  return {
    addToTotals: (account, from, upTo, { sums, lastNonce }) => {
      if (lastNonce === null || nonceOf(account, upTo) !== lastNonce) return false;
      const moved = from === 0 ? begin.run(account, upTo) : advance.run(upTo, account, from);
      if (moved.changes !== 1) return false;
      add(account, sums);
      return true;
    },
  };
}

/** Adds sums of days to the stored totals, inside the caller's transaction of the database. */
export function sumAdder(db: DatabaseSync): (account: string, sums: readonly DaySum[]) => void {
  const addToDay = totalAdder(db, 'daily_totals', 'day');
  const addToMonth = totalAdder(db, 'monthly_totals', 'month');
  return (account, sums) => {
    for (const { day, ...sum } of sums) addToDay(account, day, sum);
    for (const { month, ...sum } of monthSums(sums)) addToMonth(account, month, sum);
  };
}

type Sum = Omit<DaySum, 'day'>;

/** Adds a sum to the total of a day or month, and removes a total of nothing. */
function totalAdder(db: DatabaseSync, table: string, period: string) {
  const row = `account = ?1 AND ${period} = ?2 AND currency_code = ?3 AND status = ?4`;
  // Both low parts are below the unit: the carry is 0 or 1.
  const add = db.prepare(
    `UPDATE ${table} SET count = count + ?5, amount_high = amount_high + ?6 + (amount_low + ?7) / ${AMOUNT_HIGH_UNIT},
       amount_low = (amount_low + ?7) % ${AMOUNT_HIGH_UNIT}
     WHERE ${row}`,
  );
  const insert = db.prepare(
    `INSERT INTO ${table} (account, ${period}, currency_code, status, count, amount_high, amount_low)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${row} AND count = 0`);

  return (account: string, at: number, { currencyCode, status, count, amountMinor }: Sum) => {
    // Rounded down, also if the amount is negative.
    const low = ((amountMinor % AMOUNT_HIGH_UNIT) + AMOUNT_HIGH_UNIT) % AMOUNT_HIGH_UNIT;
    const high = (amountMinor - low) / AMOUNT_HIGH_UNIT;
    const values = [account, at, currencyCode, status, count, high, low] as const;
    if (add.run(...values).changes === 0) insert.run(...values);
    else if (count < 0) remove.run(account, at, currencyCode, status);
  };
}

export const BEHIND_SQL = `SELECT accounts.account, coalesce(totals_progress.sequence, 0), coalesce(seals.sequence, 0), head_sequence
FROM accounts LEFT JOIN totals_progress ON totals_progress.account = accounts.account LEFT JOIN seals ON seals.account = accounts.account
WHERE accounts.account > ? ORDER BY accounts.account LIMIT ? + 0`;

/** Reads the next accounts, and returns those with changes that are not in the stored totals, or not sealed. */
export function behindLister(
  db: DatabaseSync,
): (afterAccount: string, limit: number) => { accounts: AccountBehind[]; last: string | null } {
  const list = db.prepare(BEHIND_SQL);
  list.setReturnArrays(true);

  return (afterAccount, limit) => {
    const rows = list.all(afterAccount, limit) as unknown as [string, number, number, number][];
    const accounts = rows.map(([account, totalsSequence, sealedSequence, headSequence]) => ({
      account,
      totalsSequence,
      sealedSequence,
      headSequence,
    }));
    return {
      accounts: accounts.filter(isBehind),
      last: accounts.at(-1)?.account ?? null,
    };
  };
}
