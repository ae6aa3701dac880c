import { formatDay } from '../../../values/days.ts';
import { dayInZone, startOfDayMs } from '../../../values/time-zone.ts';
import type { Archive } from './archive.ts';

/**
 * The first day of a time zone of which nothing is archived. Archived days are UTC days: of the day of a time zone in which the last of them
 * ends, a part is archived.
 */
export function firstDayNotArchived(beforeMs: number, timeZone: string | null): string {
  const day = dayInZone(timeZone, beforeMs);
  return formatDay(startOfDayMs(timeZone, day) === beforeMs ? day : day + 1);
}

/** The days that a request asks for: when the first one begins, null if the range is open. */
interface Requested {
  fromMs: number | null;
  timeZone: string | null;
}

/**
 * What a response says if its request reaches archived days. Read the archive after the transactions, or in the same snapshot: an archive is
 * stored before its transactions are removed, so a response that lacks some says so.
 */
export function archivedBefore(
  archive: Pick<Archive, 'beforeMs'> | undefined,
  { fromMs, timeZone }: Requested,
): { archivedBefore?: string } {
  if (archive === undefined || (fromMs !== null && fromMs >= archive.beforeMs)) return {};
  return { archivedBefore: firstDayNotArchived(archive.beforeMs, timeZone) };
}
