import type { DatabaseSync } from 'node:sqlite';
import { isUnavailable } from '../../../db/sqlite/errors.ts';
import { type DaySum, damagedTotals } from '../totals.ts';

/** The unit of amount_high, in hundredths. */
export const AMOUNT_HIGH_UNIT = 1_000_000_000n;

/** The amount that is stored in two columns. */
export const wholeAmount = (high: bigint, low: bigint): bigint => high * AMOUNT_HIGH_UNIT + low;

/** Adds sums of days to the stored totals of an account, inside the caller's transaction of the database, and removes a total of nothing. */
export function sumAdder(db: DatabaseSync): (account: string, sums: readonly DaySum[]) => void {
  const row = 'account = ?1 AND day = ?2 AND currency_code = ?3 AND status = ?4';
  // Both low parts are below the unit: the carry is 0 or 1.
  const add = db.prepare(
    `UPDATE daily_totals SET count = count + ?5, amount_high = amount_high + ?6 + (amount_low + ?7) / ${AMOUNT_HIGH_UNIT},
       amount_low = (amount_low + ?7) % ${AMOUNT_HIGH_UNIT}
     WHERE ${row}`,
  );
  const insert = db.prepare(
    `INSERT INTO daily_totals (account, day, currency_code, status, count, amount_high, amount_low)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare(`DELETE FROM daily_totals WHERE ${row} AND count = 0`);

  return (account, sums) => {
    for (const { day, currencyCode, status, count, amountMinor } of sums) {
      const values = [account, day, currencyCode, status, count, ...partsOf(amountMinor)] as const;
      try {
        if (add.run(...values).changes === 0) insert.run(...values);
        else if (count < 0) remove.run(account, day, currencyCode, status);
      } catch (error) {
        throw isUnavailable(error) ? error : new Error(damagedTotals(account), { cause: error });
      }
    }
  };
}

/** The high and the low part, rounded down, also if the amount is negative. They are integers for SQLite, which rounds the quotient of integers alone. */
function partsOf(amountMinor: bigint): [high: bigint, low: bigint] {
  const low = ((amountMinor % AMOUNT_HIGH_UNIT) + AMOUNT_HIGH_UNIT) % AMOUNT_HIGH_UNIT;
  return [(amountMinor - low) / AMOUNT_HIGH_UNIT, low];
}
