import type { TimeZoneChoice } from '../text/time.ts';

const KEY = 'transactions.api-key';
const WEBHOOKS = 'transactions.has-webhooks';
const ZONE = 'transactions.time-zone';

/** Used if the browser blocks storage: the page then remembers only while it is open. */
const memory = new Map<string, string>();

/*
 * The key is stored until the tab is closed or the user signs out, and survives a reload. It is in no address, no
 * cookie and no storage that outlives the tab.
 */
export function storedKey(): string | null {
  return read(() => sessionStorage, KEY);
}

export function storeKey(key: string): void {
  write(() => sessionStorage, KEY, key);
}

/** Also removes what is known of the key. */
export function removeKey(): void {
  for (const name of [KEY, WEBHOOKS]) {
    memory.delete(name);
    try {
      sessionStorage.removeItem(name);
    } catch {
      // Nothing was stored.
    }
  }
}

/** Whether the key has the scope `webhooks`; undefined until it is known. The scopes of a key never change. */
export function storedHasWebhooks(): boolean | undefined {
  const stored = read(() => sessionStorage, WEBHOOKS);
  return stored === null ? undefined : stored === 'true';
}

export function storeHasWebhooks(has: boolean): void {
  write(() => sessionStorage, WEBHOOKS, String(has));
}

export function storedZone(): TimeZoneChoice {
  return read(() => localStorage, ZONE) === 'local' ? 'local' : 'utc';
}

export function storeZone(zone: TimeZoneChoice): void {
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
