import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { orUnavailable } from '../../../db/sqlite/errors.ts';
import { inSnapshot } from '../../../db/sqlite/snapshot.ts';
import { PENDING } from '../../../values/status.ts';
import { nonceReader, nonceSql } from '../../changes/sqlite/list-changes.ts';
import type { ChangeSums, DaySum, PeriodRange, StoredTotals, StoredTotalsQuery, Total } from '../totals.ts';
import { TotalsSum } from '../totals-sum.ts';

/** The unit of amount_high, in hundredths. */
export const AMOUNT_HIGH_UNIT = 1_000_000_000n;

/** The amount that is stored in two columns. */
export const wholeAmount = (high: bigint, low: bigint): bigint => high * AMOUNT_HIGH_UNIT + low;

/** The constraint of created_at_ms makes the dividend at least 0: SQLite would round a negative one up. */
const DAY = '(created_at_ms + 62135596800000) / 86400000 - 719162';

/**
 * The statement of the sums of changes after ?2 up to ?3: one range of each index of numbers. Each row has the sums of the changes to
 * its status, and of those among them that were pending before.
 */
export const CHANGE_SUMS_SQL = `SELECT ${DAY}, currency_code, '${PENDING}', count(*), sum(amount_minor), 0, 0
FROM transactions INDEXED BY transactions_by_pending_sequence
WHERE account = ?1 AND pending_sequence > ?2 AND pending_sequence <= ?3
GROUP BY 1, 2
UNION ALL
SELECT ${DAY}, currency_code, status, count(*), sum(amount_minor), count(pending_sequence),
  coalesce(sum(amount_minor) FILTER (WHERE pending_sequence IS NOT NULL), 0)
FROM transactions INDEXED BY transactions_by_final_sequence
WHERE account = ?1 AND final_sequence > ?2 AND final_sequence <= ?3
GROUP BY 1, 2, 3`;

type ChangeSumRow = [
  day: bigint,
  currencyCode: string,
  status: string,
  count: bigint,
  amountMinor: bigint,
  pendingCount: bigint,
  pendingAmountMinor: bigint,
];

/** Sums the changes of an account after a number up to another. */
export function changeSummer(db: DatabaseSync): (account: string, after: number, upTo: number) => ChangeSums {
  const sum = db.prepare(CHANGE_SUMS_SQL);
  sum.setReturnArrays(true);
  sum.setReadBigInts(true);
  const nonceOf = nonceReader(db);
  const snapshot = inSnapshot(db);

  return (account, after, upTo) => {
    const { rows, lastNonce } = snapshot(() => ({
      rows: sum.all(account, after, upTo) as unknown as ChangeSumRow[],
      lastNonce: nonceOf(account, upTo),
    }));
    const sums = new TotalsSum();
    for (const row of rows) {
      const [, currencyCode, status, count, amountMinor, pendingCount, pendingAmountMinor] = row;
      const day = Number(row[0]);
      sums.add({ day, currencyCode, status, count: Number(count), amountMinor });
      const left = { count: -Number(pendingCount), amountMinor: -pendingAmountMinor };
      sums.add({ day, currencyCode, status: PENDING, ...left });
    }
    return { sums: sums.list() as DaySum[], lastNonce };
  };
}

const SUMS = 'sum(count), sum(amount_high), sum(amount_low)';

/** The totals of a range of periods of one account, ?2 to ?3, for currency ?4 and status ?5 if they are not null. */
const rangeSql = (columns: string, table: string, period: string, end = '') => `SELECT ${columns}
FROM ${table}
WHERE account = ?1 AND ${period} BETWEEN ?2 AND ?3
  AND (?4 IS NULL OR currency_code = ?4) AND (?5 IS NULL OR status = ?5)${end}`;

const GROUPED = '\nGROUP BY currency_code, status';

/** Totals of days that are read at once: less than a millisecond, in which no request is answered. */
const SLICE_ROWS = 1000;

const EACH_DAY = 'day, currency_code, status, count, amount_high, amount_low';

export const STORED_TOTALS_SQL = {
  eachDay: rangeSql(EACH_DAY, 'daily_totals', 'day'),
  /** The first totals of each day up to ?3 after those of day ?2, currency ?6 and status ?7. */
  slice: `SELECT ${EACH_DAY}
FROM daily_totals
WHERE account = ?1 AND (day, currency_code, status) > (?2, ?6, ?7) AND day <= ?3
  AND (?4 IS NULL OR currency_code = ?4) AND (?5 IS NULL OR status = ?5)
ORDER BY day, currency_code, status LIMIT ${SLICE_ROWS}`,
  days: rangeSql(`NULL, currency_code, status, ${SUMS}`, 'daily_totals', 'day', GROUPED),
  months: rangeSql(`NULL, currency_code, status, ${SUMS}`, 'monthly_totals', 'month', GROUPED),
};

type TotalRow = [
  day: bigint | null,
  currencyCode: string,
  status: string,
  count: bigint,
  amountHigh: bigint,
  amountLow: bigint,
];

/** The numbers of an account. */
export const SEQUENCES_SQL = `SELECT coalesce((SELECT sequence FROM totals_progress WHERE account = ?1), 0) AS totals_sequence,
  coalesce((SELECT head_sequence FROM accounts WHERE account = ?1), 0) AS head_sequence`;

export const SEQUENCES_WITH_NONCE_SQL = `SELECT totals_sequence, head_sequence,
  ${nonceSql('?1', 'max(totals_sequence, head_sequence)')}
FROM (${SEQUENCES_SQL})`;

type Sequences = [totalsSequence: number, headSequence: number, lastNonce: number | null];

/** Beyond every day and month. */
const OPEN_END = 1e9;

function prepareRange(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement;
}

/** Reads the numbers of an account. */
function sequencesReader(db: DatabaseSync): (account: string) => Sequences {
  const read = db.prepare(SEQUENCES_WITH_NONCE_SQL);
  read.setReturnArrays(true);
  return (account) => read.get(account) as unknown as Sequences;
}

/** Reads the stored totals and their number in one snapshot. */
export function storedTotalsReader(db: DatabaseSync): (query: StoredTotalsQuery) => StoredTotals {
  const eachDay = prepareRange(db, STORED_TOTALS_SQL.eachDay);
  const days = prepareRange(db, STORED_TOTALS_SQL.days);
  const months = prepareRange(db, STORED_TOTALS_SQL.months);
  const sequencesOf = sequencesReader(db);
  const snapshot = inSnapshot(db);

  return ({ account, currency, status, byDay, ...ranges }) => {
    const rowsOf = (statement: typeof days, { from, to }: PeriodRange) =>
      statement.all(account, from ?? -OPEN_END, to ?? OPEN_END, currency, status) as unknown as TotalRow[];
    return snapshot(() => {
      const [totalsSequence, headSequence, lastNonce] = sequencesOf(account);
      const rows = [
        ...ranges.days.flatMap((range) => rowsOf(byDay ? eachDay : days, range)),
        ...ranges.months.flatMap((range) => rowsOf(months, range)),
      ];
      return { totals: rows.map(totalOf), totalsSequence, headSequence, lastNonce };
    });
  };
}

/**
 * Reads the stored totals of days slice by slice, each in a snapshot of its own, with `nextTurn` between two of them. Those at a number
 * never change, so slices with the same number belong together.
 *
 * Returns undefined if changes were added meanwhile.
 */
export function dailyTotalsReader(
  db: DatabaseSync,
): (query: StoredTotalsQuery, nextTurn: () => Promise<void>) => Promise<StoredTotals | undefined> {
  const slice = prepareRange(db, STORED_TOTALS_SQL.slice);
  const sequencesOf = sequencesReader(db);
  const snapshot = inSnapshot(db);

  return async ({ account, currency, status, days }, nextTurn) => {
    const readSlice = (to: number, [day, currencyCode, statusOfDay]: DayPosition) =>
      orUnavailable(() =>
        snapshot(() => {
          const rows = slice.all(account, day, to, currency, status, currencyCode, statusOfDay);
          return { sequences: sequencesOf(account), rows: rows as unknown as TotalRow[] };
        }),
      );
    const totals: Total[] = [];
    let [totalsSequence, headSequence, lastNonce] = orUnavailable(() => sequencesOf(account));
    for (const { from, to } of days) {
      // No currency is empty: the position is before all totals of its day.
      for (let after: DayPosition | null = [from ?? -OPEN_END, '', '']; after !== null; ) {
        const { sequences, rows }: ReturnType<typeof readSlice> = readSlice(to ?? OPEN_END, after);
        if (sequences[0] !== totalsSequence) return undefined;
        [totalsSequence, headSequence, lastNonce] = sequences;
        for (const row of rows) totals.push(totalOf(row));
        const last: TotalRow | undefined = rows.length < SLICE_ROWS ? undefined : rows.at(-1);
        after = last === undefined ? null : [Number(last[0]), last[1], last[2]];
        if (after !== null) await nextTurn();
      }
    }
    return { totals, totalsSequence, headSequence, lastNonce };
  };
}

type DayPosition = [day: number, currencyCode: string, status: string];

function totalOf([day, currencyCode, status, count, amountHigh, amountLow]: TotalRow): Total {
  return {
    day: day === null ? null : Number(day),
    currencyCode,
    status,
    count: Number(count),
    amountMinor: wholeAmount(amountHigh, amountLow),
  };
}
