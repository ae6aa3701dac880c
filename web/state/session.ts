import type { TimeZoneChoice } from '../text/time.ts';

const KEY = 'transactions.api-key';
const ZONE = 'transactions.time-zone';

/** Used if the browser blocks storage: the page then remembers only while it is open. */
const memory = new Map<string, string>();

/*
 * The key lives as long as the tab: a reload keeps it, and closing the tab or signing out forgets it. It stands
 * in no address, no cookie and no storage that outlives the tab.
 */
export function keptKey(): string | null {
  return read(() => sessionStorage, KEY);
}

export function keepKey(key: string): void {
  write(() => sessionStorage, KEY, key);
}

export function forgetKey(): void {
  memory.delete(KEY);
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

export function keptZone(): TimeZoneChoice {
  return read(() => localStorage, ZONE) === 'local' ? 'local' : 'utc';
}

export function keepZone(zone: TimeZoneChoice): void {
  write(() => localStorage, ZONE, zone);
}

function read(storage: () => Storage, name: string): string | null {
  try {
    return memory.get(name) ?? storage().getItem(name);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, name: string, value: string): void {
  try {
    storage().setItem(name, value);
  } catch {
    memory.set(name, value);
  }
}
