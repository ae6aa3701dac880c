import { DAY_MS, dayOf } from '../../values/calendar.ts';
import { runToTheEnd } from '../../values/long-read.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { dayOfZone } from '../../values/time-zone.ts';
import { rangeOfDays, type TimeRange } from '../list/list-filter.ts';
import { sumAllListed } from './sum-listed.ts';
import type { ListedSummer, ListedSumQuery, TotalsQuery, TotalsReader } from './totals.ts';
import { TotalsSum } from './totals-sum.ts';
import { type CountedTotals, type ReadTotalsOptions, readUtcTotals } from './utc-totals.ts';

type ZoneQuery = TotalsQuery & { timeZone: string };

/** The most that totals by day of a time zone read: every UTC day is cut, so each transaction is summed by itself. */
export const MAX_ZONE_TRANSACTIONS = 500_000;
export const MAX_ZONE_DAYS = 3660;

/** Totals by day of a time zone would have to read too much. */
export class TooManyForZone extends Error {
  override readonly name = 'TooManyForZone';
  readonly transactions: number;
  readonly days: number;

  constructor(transactions: number, days: number) {
    super(`${transactions} transactions on ${days} days`);
    this.transactions = transactions;
    this.days = days;
  }
}

/** A range that is summed row by row, and the day that its totals get. */
interface Part {
  range: TimeRange;
  day: number | null;
}

/**
 * The totals of days of a time zone, as of the head sequence: whole UTC days from the roll-up, and what is left of a UTC day at both ends
 * from its transactions. By day, all is read from the transactions.
 *
 * Throws: TooManyForZone; StoreUnavailable if a failover or a restore replaced the history between two reads.
 */
export async function readTotalsOfZone(
  reader: TotalsReader & ListedSummer,
  query: ZoneQuery,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { whole, parts } = query.byDay
    ? await readByDay(reader, query, options)
    : await readWholeDays(reader, query, options);
  const { account, status, currency } = query;
  const { asOf, lastNonce } = whole;
  const filter = { status, currency, merchantReference: null };
  const queryOf = ({ range }: Part): ListedSumQuery => ({ account, filter, range, asOf });
  const sum = new TotalsSum();
  for (const total of whole.totals) sum.add(total);
  const { runLong = runToTheEnd } = options;
  const addPart = async (part: Part, run = runLong) => {
    for (const total of await sumAllListed(reader, queryOf(part), { runLong: run }))
      sum.add({ ...total, day: part.day });
  };
  const addAll = async (gone: AbortSignal) => {
    for (const part of parts) {
      gone.throwIfAborted();
      await addPart(part, (read) => read(gone));
    }
  };
  if (query.byDay) await runLong(addAll);
  else for (const part of parts) await addPart(part);
  // The parts were read after the roll-up: its last change must still be the one with this number.
  if (parts.length > 0 && lastNonce !== null) {
    const last = await reader.sumChanges(account, asOf - 1, asOf);
    if (last.lastNonce !== lastNonce) throw new StoreUnavailable('history_replaced');
  }
  return { totals: sum.list(), asOf, lastNonce };
}

async function readWholeDays(
  reader: TotalsReader,
  query: ZoneQuery,
  options: ReadTotalsOptions,
): Promise<{ whole: CountedTotals; parts: Part[] }> {
  const { fromMs, beforeMs } = rangeOfDays(query);
  const fromDay = fromMs === null ? null : Math.ceil(fromMs / DAY_MS);
  const toDay = beforeMs === null ? null : Math.floor(beforeMs / DAY_MS) - 1;
  const hasWholeDay = fromDay === null || toDay === null || fromDay <= toDay;
  const whole = await readUtcTotals(reader, { ...query, fromDay, toDay }, options);
  const cut: TimeRange[] = hasWholeDay
    ? [
        { fromMs, beforeMs: fromDay === null ? null : fromDay * DAY_MS },
        { fromMs: toDay === null ? null : (toDay + 1) * DAY_MS, beforeMs },
      ]
    : [{ fromMs, beforeMs }];
  const isCut = (range: TimeRange) =>
    range.fromMs !== null && range.beforeMs !== null && range.fromMs < range.beforeMs;
  return { whole, parts: cut.filter(isCut).map((range) => ({ range, day: null })) };
}

/** The UTC days that the days of the zone can touch say which of them have transactions, and how many. */
async function readByDay(
  reader: TotalsReader,
  query: ZoneQuery,
  options: ReadTotalsOptions,
): Promise<{ whole: CountedTotals; parts: Part[] }> {
  const { timeZone } = query;
  const { fromMs, beforeMs } = rangeOfDays(query);
  const touched = {
    fromDay: fromMs === null ? null : dayOf(fromMs),
    toDay: beforeMs === null ? null : dayOf(beforeMs - 1),
  };
  const { totals, ...counted } = await readUtcTotals(reader, { ...query, ...touched }, options);
  const days = new Set<number>();
  let transactions = 0;
  for (const { day, count } of totals) {
    transactions += count;
    const first = dayOfZone(timeZone, (day as number) * DAY_MS);
    const last = dayOfZone(timeZone, ((day as number) + 1) * DAY_MS - 1);
    for (let one = first; one <= last; one++)
      if (one >= (query.fromDay ?? one) && one <= (query.toDay ?? one)) days.add(one);
  }
  if (transactions > MAX_ZONE_TRANSACTIONS || days.size > MAX_ZONE_DAYS)
    throw new TooManyForZone(transactions, days.size);
  const parts = [...days].map((day) => ({
    range: rangeOfDays({ fromDay: day, toDay: day, timeZone }),
    day,
  }));
  return { whole: { totals: [], ...counted }, parts };
}
