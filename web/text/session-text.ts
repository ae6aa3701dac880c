import { timeParts, UTC } from './time.ts';

export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/** An unused sign-in ends after this time, because a restored tab could show it to another person. */
export const IDLE_HOURS = 12;
