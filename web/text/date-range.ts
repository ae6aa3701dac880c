import { type DayRange, monthAt, parseDay } from '../../values/calendar.ts';
import { MAX_RANGE_DAYS } from '../../values/interface/limits.ts';

export function quarterBefore(day: string): DayRange {
  const monthInQuarter = (Number(day.split('-')[1]) - 1) % 3;
  return { from: monthAt(day, -3 - monthInQuarter).from, to: monthAt(day, -1 - monthInQuarter).to };
}

/** Ranges with an open end or an invalid day are left to the service's checks. */
export function isInverted(from: string | undefined, to: string | undefined): boolean {
  const days = daysBetween(from, to);
  return days !== undefined && days < 0;
}

export const isLong = (from: string | undefined, to: string | undefined): boolean =>
  (daysBetween(from, to) ?? 0) > MAX_RANGE_DAYS;

function daysBetween(from: string | undefined, to: string | undefined): number | undefined {
  const [first, last] = [parseDay(from), parseDay(to)];
  return first === undefined || last === undefined ? undefined : last - first;
}

/**
 * Moves the days back by `months`. Whole months stay whole: 1 to 28 February becomes 1 to 31 January. Returns
 * undefined if the moved days overlap the given ones.
 */
export function daysBefore({ from, to }: DayRange, months: number): DayRange | undefined {
  if (parseDay(from) === undefined || parseDay(to) === undefined || isInverted(from, to)) return undefined;
  const shift = (day: string, isLast: boolean) => {
    const month = monthAt(day, -months);
    const same = month.from.slice(0, 8) + day.slice(8);
    return isLast || same > month.to ? month.to : same;
  };
  const isWhole = from.endsWith('-01') && to === monthAt(to).to;
  const before = { from: shift(from, false), to: shift(to, isWhole) };
  return before.to < from && parseDay(before.from) !== undefined ? before : undefined;
}
