import type { DatabaseSync } from 'node:sqlite';
import { inSnapshot } from '../../../db/sqlite/snapshot.ts';
import { LARGEST_NUMBER } from '../../../ledger/record/sqlite/sequence-numbers.ts';
import { wholeAmount } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import type { DaysPart, PartOfTotals, StoredTotal } from '../verify-reader.ts';

type TotalValues = [
  day: bigint,
  currencyCode: string,
  status: string,
  count: bigint,
  amountHigh: unknown,
  amountLow: unknown,
];

const FIND_DAY =
  'SELECT day FROM daily_totals WHERE account = ?1 AND day >= ?2 ORDER BY day LIMIT 1 OFFSET ?3';
const READ_DAYS = `SELECT day, currency_code, status, count, amount_high, amount_low FROM daily_totals
WHERE account = ?1 AND day >= ?2 AND day < ?3 ORDER BY day, currency_code, status`;

type ReadAll = <Row>(sql: string, values: readonly (string | number)[]) => Row[];

/** Reads the stored totals. `all` runs a statement and returns arrays with BigInts. */
export function storedTotalsReader(db: DatabaseSync, all: ReadAll) {
  const snapshot = inSnapshot(db);
  return {
    findDayAfter: (account: string, fromDay: number | null, count: number): number | undefined => {
      const [row] = all<[bigint]>(FIND_DAY, [account, fromDay ?? Number.MIN_SAFE_INTEGER, count]);
      return row && Number(row[0]);
    },

    readStoredTotals: (account: string, { from, before }: DaysPart): PartOfTotals => {
      const days = [from ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER] as const;
      return snapshot(() => {
        const [[largest]] = all<[bigint]>(`SELECT ${LARGEST_NUMBER}`, [account]) as [[bigint]];
        return { upTo: Number(largest), days: all<TotalValues>(READ_DAYS, [account, ...days]).map(totalOf) };
      });
    },
  };
}

const totalOf = ([day, currencyCode, status, count, high, low]: TotalValues): StoredTotal => ({
  day: Number(day),
  currencyCode,
  status,
  count: Number(count),
  amountMinor: wholeAmount(wholeOf(high), wholeOf(low)),
});

/** A damaged value can be of any type, which the check of the file reports. */
const wholeOf = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n);
