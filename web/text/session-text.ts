import { timeParts, UTC } from './time.ts';

export function minuteOf(timestamp: string, zone: string): string {
  return `${timeParts(timestamp, zone).minute}${zone === UTC ? ' UTC' : ''}`;
}

/** An unused sign-in ends after this time. Otherwise, a browser could restore its tabs for another person. */
export const IDLE_HOURS = 12;
