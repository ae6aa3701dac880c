import { DAY_MS, dayOf, firstDayOf, monthOf } from '../../../values/calendar.ts';
import { type RunLong, runToTheEnd } from '../../../values/long-read.ts';
import { faultyParameter } from '../../../values/problem.ts';
import { dayOfZone, startOfDayMs } from '../../../values/time-zone.ts';
import { rangeOfDays, type TimeRange } from '../list/list.ts';
import { readUtcTotals, requireSameHistory, sumAllListed } from './reads.ts';
import {
  type CountedTotals,
  type ListedSummer,
  type ListedSumQuery,
  type Period,
  type ReadTotalsOptions,
  type Total,
  type TotalsQuery,
  type TotalsReader,
  TotalsSum,
} from './total.ts';

type ZoneQuery = TotalsQuery & { timeZone: string };

export const MAX_ZONE_TRANSACTIONS = 500_000;
export const MAX_ZONE_DAYS = 3660;
/** Above these limits, summing needs a slot for long reads. */
const QUICK_TRANSACTIONS = 20_000;
const QUICK_DAYS = 100;

interface Part {
  fromMs: number;
  beforeMs: number;
  /** The day, or the first day of the month, to which the part is added. Null if totals have no days. */
  day: number | null;
}

interface Divided {
  whole: CountedTotals;
  parts: Part[];
  isLong: boolean;
}

/**
 * Uses the stored totals of UTC days. The UTC days in which the range begins and ends are summed transaction
 * by transaction. With `by`, so are the UTC days in which a day or month of the time zone begins.
 * Throws: a Problem if too much would be read; StoreUnavailable if the history was replaced.
 */
export async function readTotalsOfZone(
  reader: TotalsReader & ListedSummer,
  query: ZoneQuery,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { account, by } = query;
  const { whole, parts, isLong } =
    by === null ? await readWholeDays(reader, query) : await readByPeriod(reader, query, by);
  const sum = new TotalsSum();
  for (const total of whole.totals) sum.add(total);
  const { runLong = runToTheEnd } = options;
  const addPart = async ({ day, ...range }: Part, run: RunLong) => {
    const listed: ListedSumQuery = { account, filter: query, range, paid: null, asOf: whole.asOf };
    for (const total of await sumAllListed(reader, listed, { runLong: run })) sum.add({ ...total, day });
  };
  const addAll = async (gone: AbortSignal) => {
    for (const part of parts) {
      gone.throwIfAborted();
      await addPart(part, (read) => read(gone));
    }
  };
  if (isLong) await runLong(addAll);
  else for (const part of parts) await addPart(part, by === null ? runLong : runToTheEnd);
  if (parts.length > 0) await requireSameHistory(reader, account, whole);
  return { ...whole, totals: sum.list() };
}

async function readWholeDays(reader: TotalsReader, query: ZoneQuery): Promise<Divided> {
  const { fromMs, beforeMs } = rangeOfDays(query);
  const fromDay = fromMs === null ? null : Math.ceil(fromMs / DAY_MS);
  const toDay = beforeMs === null ? null : Math.floor(beforeMs / DAY_MS) - 1;
  const hasWholeDay = fromDay === null || toDay === null || fromDay <= toDay;
  const whole = await readUtcTotals(reader, { ...query, fromDay, toDay });
  const cut: TimeRange[] = hasWholeDay
    ? [
        { fromMs, beforeMs: fromDay === null ? null : fromDay * DAY_MS },
        { fromMs: toDay === null ? null : (toDay + 1) * DAY_MS, beforeMs },
      ]
    : [{ fromMs, beforeMs }];
  const parts: Part[] = [];
  for (const { fromMs, beforeMs } of cut)
    if (fromMs !== null && beforeMs !== null && fromMs < beforeMs)
      parts.push({ fromMs, beforeMs, day: null });
  return { whole, parts, isLong: false };
}

async function readByPeriod(reader: TotalsReader, query: ZoneQuery, by: Period): Promise<Divided> {
  const { fromMs, beforeMs } = rangeOfDays(query);
  const touched = {
    fromDay: fromMs === null ? null : dayOf(fromMs),
    toDay: beforeMs === null ? null : dayOf(beforeMs - 1),
  };
  const { totals, ...counted } = await readUtcTotals(reader, { ...query, by: 'day', ...touched });
  const whole: Total[] = [];
  const parts: Part[] = [];
  const periodAt = periodFinder(query.timeZone, by);
  let [transactions, days] = [0, 0];
  for (const [day, ofDay] of Map.groupBy(totals, (total) => total.day as number)) {
    const [first, ...others] = partsOfDay({ fromMs, beforeMs }, day, periodAt);
    if (first === undefined) continue;
    if (first.beforeMs - first.fromMs === DAY_MS) {
      for (const total of ofDay) whole.push({ ...total, day: first.day });
      continue;
    }
    days++;
    for (const { count } of ofDay) transactions += count;
    for (const part of [first, ...others]) append(parts, part);
  }
  if (transactions > MAX_ZONE_TRANSACTIONS || days > MAX_ZONE_DAYS)
    throw faultyParameter({
      parameter: 'timeZone',
      code: 'date_range_too_long',
      detail:
        `The days or months of this time zone divide ${days} UTC days with ${transactions} transactions, which are summed one by one; ` +
        `at most ${MAX_ZONE_TRANSACTIONS} on ${MAX_ZONE_DAYS} days. Send a shorter range, omit timeZone for UTC days, send by=month, or omit by.`,
    });
  const isLong = transactions > QUICK_TRANSACTIONS || days > QUICK_DAYS;
  return { whole: { totals: whole, ...counted }, parts, isLong };
}

function partsOfDay({ fromMs, beforeMs }: TimeRange, utcDay: number, periodAt: PeriodAt): Part[] {
  const dayMs = utcDay * DAY_MS;
  const endMs = Math.min(dayMs + DAY_MS, beforeMs ?? Number.POSITIVE_INFINITY);
  const parts: Part[] = [];
  for (let partMs = Math.max(dayMs, fromMs ?? dayMs); partMs < endMs; ) {
    const period = periodAt(partMs);
    const nextMs = Math.min(period.beforeMs, endMs);
    parts.push({ fromMs: partMs, beforeMs: nextMs, day: period.day });
    partMs = nextMs;
  }
  return parts;
}

type PeriodAt = (timeMs: number) => { day: number; beforeMs: number };

/** Callers must pass ascending times. */
function periodFinder(timeZone: string, by: Period): PeriodAt {
  let last = { day: 0, beforeMs: Number.NEGATIVE_INFINITY };
  return (timeMs) => {
    if (timeMs < last.beforeMs) return last;
    const day = dayOfZone(timeZone, timeMs);
    const first = by === 'day' ? day : firstDayOf(monthOf(day));
    const next = by === 'day' ? day + 1 : firstDayOf(monthOf(day) + 1);
    last = { day: first, beforeMs: startOfDayMs(timeZone, next) };
    return last;
  };
}

function append(parts: Part[], part: Part): void {
  const before = parts.at(-1);
  if (before?.beforeMs === part.fromMs && before.day === part.day) before.beforeMs = part.beforeMs;
  else parts.push(part);
}
