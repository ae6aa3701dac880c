import { timeParts, UTC } from './time.ts';

export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/** A sign-in ends if it is idle this long, because a browser can restore its tab for another person. */
export const IDLE_HOURS = 12;
