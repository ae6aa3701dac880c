import { DAY_MS, startOfDayMs, utcDay } from './time.ts';
import type { ListFilters } from './transaction.ts';

/** The longest range that the service takes in one list: `to` may be so many days after `from`. */
export const MAX_RANGE_DAYS = 90;

export type DayRange = Pick<ListFilters, 'from' | 'to'>;

/**
 * The newest part of a range that one list may ask for: whole UTC days, so that no transaction stands in two parts
 * and none between them. A range that the service would refuse for another reason is left to its words.
 */
export function newestWindow({ from, to }: DayRange): DayRange {
  const firstMs = from === undefined ? undefined : startOfDayMs(from);
  const lastMs = to === undefined ? undefined : startOfDayMs(to);
  if (firstMs === undefined || lastMs === undefined || lastMs - firstMs <= MAX_RANGE_DAYS * DAY_MS)
    return { from, to };
  return { from: utcDay(new Date(lastMs - MAX_RANGE_DAYS * DAY_MS)), to };
}

/** The last day of what lies before a window of a range, or undefined where the window reaches its beginning. */
export function dayBefore(window: DayRange, range: DayRange): string | undefined {
  if (window.from === undefined || window.from === range.from) return undefined;
  return utcDay(new Date((startOfDayMs(window.from) as number) - DAY_MS));
}
