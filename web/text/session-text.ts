import { timeParts, UTC } from './time.ts';

/** The minute of a time, in the time zone of all times on the screen: "14:05" or "12:05 UTC". */
export function minuteOf(timestamp: string, zone: string): string {
  const { time } = timeParts(timestamp, zone);
  return `${time.slice(0, 5)}${zone === UTC ? ' UTC' : ''}`;
}

/**
 * A sign-in ends when it is not used for so long: a browser can restore its tabs, and somebody else can sit
 * before it.
 */
export const IDLE_HOURS = 12;
