import { timeParts, UTC } from './time.ts';

export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/** A sign-in without use ends after this time, because a browser may restore its tabs for another person. */
export const IDLE_HOURS = 12;
