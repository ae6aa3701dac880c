import { timeParts, UTC } from './time.ts';

export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/** A sign-in ends when it is idle for this time. Otherwise, a browser could restore it for another person. */
export const IDLE_HOURS = 12;
