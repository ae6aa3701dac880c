import { DAY_MS, startOfDayMs, utcDay } from './time.ts';
import type { ListFilters } from './transaction.ts';

/** The longest range of one list: `to` can be at most this many days after `from`. */
export const MAX_RANGE_DAYS = 90;

export type DayRange = Pick<ListFilters, 'from' | 'to'>;

/**
 * The newest part of a range that fits in one list. Parts are whole days, so every transaction is in exactly one
 * part. A range that is wrong for another reason is sent unchanged, and the service explains the fault.
 */
export function newestWindow({ from, to }: DayRange): DayRange {
  const firstMs = from === undefined ? undefined : startOfDayMs(from);
  const lastMs = to === undefined ? undefined : startOfDayMs(to);
  if (firstMs === undefined || lastMs === undefined || lastMs - firstMs <= MAX_RANGE_DAYS * DAY_MS)
    return { from, to };
  return { from: utcDay(new Date(lastMs - MAX_RANGE_DAYS * DAY_MS)), to };
}

/** The day before a window, or undefined if the window reaches the start of the range. */
export function dayBefore(window: DayRange, range: DayRange): string | undefined {
  if (window.from === undefined || window.from === range.from) return undefined;
  return utcDay(new Date((startOfDayMs(window.from) as number) - DAY_MS));
}

/** A day that a list can end with whose newest transaction was created at a time. The day of a time zone can be the next one. */
export function newestDay(createdAt: string, to: string | null, timeZone: string | undefined): string {
  const day = createdAt.slice(0, 10);
  if (timeZone === undefined || day === to || day === '9999-12-31') return day;
  return utcDay(new Date(Date.parse(createdAt) + DAY_MS));
}
