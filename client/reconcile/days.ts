import { formatDay, parseDay, parseTimestamp } from '../../values/calendar.ts';
import { dayOfZone } from '../../values/time-zone.ts';
import { DAY_CHARACTERS } from './file-values.ts';

/** Days are counted from 1970-01-01. */
const dayNumber = (time: string, timeZone: string | null): number =>
  dayOfZone(timeZone, parseTimestamp(time) as number);

export const dayText = (time: string | null, timeZone: string | null): string | null =>
  time === null || timeZone === null
    ? (time?.slice(0, DAY_CHARACTERS) ?? null)
    : formatDay(dayNumber(time, timeZone));

export const daysAfter = (day: string, time: string, timeZone: string | null): number =>
  dayNumber(time, timeZone) - (parseDay(day) as number);
