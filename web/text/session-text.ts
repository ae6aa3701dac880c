import { timeParts, UTC } from './time.ts';

/** The minute of a time in the time zone of the screen: "14:05" or "12:05 UTC". */
export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/**
 * How long a sign-in lasts without use. It ends, because a browser can restore its tabs for another person.
 */
export const IDLE_HOURS = 12;
