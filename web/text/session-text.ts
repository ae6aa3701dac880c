import { timeParts, UTC } from './time.ts';

export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/** A browser can restore a tab with its sign-in, even for another person. So a sign-in ends if it is idle. */
export const IDLE_HOURS = 12;
