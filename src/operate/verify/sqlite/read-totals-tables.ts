import type { DatabaseSync } from 'node:sqlite';
import { inSnapshot } from '../../../db/sqlite/snapshot.ts';
import { SEQUENCES_SQL, wholeAmount } from '../../../ledger/totals/sqlite/totals.ts';
import { firstDayOf } from '../../../values/calendar.ts';
import type { MonthRange, StoredTotal, TotalsTables } from '../verify-reader.ts';

type TotalValues = [
  period: bigint,
  currencyCode: string,
  status: string,
  count: bigint,
  amountHigh: unknown,
  amountLow: unknown,
];

const FIND_DAY =
  'SELECT day FROM daily_totals WHERE account = ?1 AND day >= ?2 ORDER BY day LIMIT 1 OFFSET ?3';

const totalsSql = (table: string, period: string) =>
  `SELECT ${period}, currency_code, status, count, amount_high, amount_low FROM ${table}
WHERE account = ?1 AND ${period} >= ?2 AND ${period} < ?3 ORDER BY ${period}, currency_code, status`;
const DAYS = totalsSql('daily_totals', 'day');
const MONTHS = totalsSql('monthly_totals', 'month');

type ReadAll = <Row>(sql: string, values: readonly (string | number)[]) => Row[];

/** Reads the stored totals. `all` runs a statement and returns arrays with BigInts. */
export function totalsTablesReader(db: DatabaseSync, all: ReadAll) {
  const snapshot = inSnapshot(db);
  return {
    findDayAfter: (account: string, fromDay: number | null, count: number): number | undefined => {
      const [row] = all<[bigint]>(FIND_DAY, [account, fromDay ?? Number.MIN_SAFE_INTEGER, count]);
      return row && Number(row[0]);
    },

    readTotalsTables: (account: string, { from, before }: MonthRange): TotalsTables => {
      const months = [from ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER] as const;
      const days = [
        from === null ? Number.MIN_SAFE_INTEGER : firstDayOf(from),
        before === null ? Number.MAX_SAFE_INTEGER : firstDayOf(before),
      ] as const;
      return snapshot(() => {
        const [[totalsSequence, headSequence]] = all<[bigint, bigint]>(SEQUENCES_SQL, [account]) as [
          [bigint, bigint],
        ];
        return {
          totalsSequence: Number(totalsSequence),
          headSequence: Number(headSequence),
          days: all<TotalValues>(DAYS, [account, ...days]).map(totalOf),
          months: all<TotalValues>(MONTHS, [account, ...months]).map(totalOf),
        };
      });
    },
  };
}

const totalOf = ([period, currencyCode, status, count, high, low]: TotalValues): StoredTotal => ({
  period: Number(period),
  currencyCode,
  status,
  count: Number(count),
  amountMinor: wholeAmount(wholeOf(high), wholeOf(low)),
});

/** A damaged value can be of any type, which the check of the file reports. */
const wholeOf = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n);
