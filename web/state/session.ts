import type { TimeZoneChoice } from '../text/time.ts';

const KEY = 'transactions.api-key';
const ZONE = 'transactions.time-zone';

/*
 * The key lives as long as the tab: a reload keeps it, and closing the tab or signing out forgets it. It stands
 * in no address, no cookie and no storage that outlives the tab.
 */
export function keptKey(): string | null {
  return sessionStorage.getItem(KEY);
}

export function keepKey(key: string): void {
  sessionStorage.setItem(KEY, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
}

export function keptZone(): TimeZoneChoice {
  return localStorage.getItem(ZONE) === 'local' ? 'local' : 'utc';
}

export function keepZone(zone: TimeZoneChoice): void {
  localStorage.setItem(ZONE, zone);
}
