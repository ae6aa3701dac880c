import type { DatabaseSync } from 'node:sqlite';
import { isUnavailable } from '../../db/sqlite/errors.ts';
import { prepared } from '../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../db/statement.ts';
import { type DaySum, damagedTotals } from '../totals/total.ts';

const sql = statementsOf(new URL('./add-to-totals.sql', import.meta.url));

const AMOUNT_HIGH_UNIT = 1_000_000_000n;

export const wholeAmount = (high: bigint, low: bigint): bigint => high * AMOUNT_HIGH_UNIT + low;

/** Runs within the caller's database transaction. Removes totals whose count becomes 0. */
export function sumAdder(db: DatabaseSync): (account: string, sums: readonly DaySum[]) => void {
  const add = prepared(db, sql('addToTotal'));
  const insert = prepared(db, sql('insertTotal'));
  const remove = prepared(db, sql('removeTotal'));

  return (account, sums) => {
    for (const { day, currencyCode, status, count, amountMinor } of sums) {
      const row = { account, day, currency: currencyCode, status };
      const added = { ...row, count, ...partsOf(amountMinor) };
      try {
        if (add.run(added) === 0) insert.run(added);
        else if (count < 0) remove.run(row);
      } catch (error) {
        throw isUnavailable(error) ? error : new Error(damagedTotals(account), { cause: error });
      }
    }
  };
}

/** Even for a negative amount, `low` is not negative. */
function partsOf(amountMinor: bigint): { high: bigint; low: bigint } {
  const low = ((amountMinor % AMOUNT_HIGH_UNIT) + AMOUNT_HIGH_UNIT) % AMOUNT_HIGH_UNIT;
  // Both stay bigints, because SQLite would take numbers as floats and divide them with fractions.
  return { high: (amountMinor - low) / AMOUNT_HIGH_UNIT, low };
}
