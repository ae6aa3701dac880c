import { firstDayOf, monthOf } from '../../values/calendar.ts';
import type { PeriodRange, StoredTotalsQuery, TotalsQuery } from './totals.ts';

type Ranges = Pick<StoredTotalsQuery, 'days' | 'months'>;

/**
 * The days and months of the stored totals that make up a range of days, each day once: whole months, and days at the edges.
 * Totals by day or month are read from days alone: a range can begin and end within a month.
 */
export function storedRanges({ fromDay, toDay, by }: Pick<TotalsQuery, 'fromDay' | 'toDay' | 'by'>): Ranges {
  const onlyDays: Ranges = { days: [{ from: fromDay, to: toDay }], months: [] };
  if (by !== null) return onlyDays;
  // The first and the last month that are in the range as a whole.
  const first = fromDay === null ? null : monthOf(fromDay - 1) + 1;
  const last = toDay === null ? null : monthOf(toDay + 1) - 1;
  if (first !== null && last !== null && first > last) return onlyDays;
  const days: PeriodRange[] = [];
  if (fromDay !== null && first !== null && fromDay < firstDayOf(first))
    days.push({ from: fromDay, to: firstDayOf(first) - 1 });
  if (toDay !== null && last !== null && firstDayOf(last + 1) <= toDay)
    days.push({ from: firstDayOf(last + 1), to: toDay });
  return { days, months: [{ from: first, to: last }] };
}
