import { localZone, UTC } from '../text/time.ts';

const SESSION = 'transactions.session';
const ZONE = 'transactions.time-zone';

/** Used if the browser blocks storage: the page then remembers only while it is open. */
const memory = new Map<string, string>();

/** A signed-in user: an API key, and what the service says that it is for. */
export interface Session {
  key: string;
  account: string;
  scopes: readonly string[];
  /** When the key ends, or null. */
  expiresAt: string | null;
}

/*
 * The key is stored until the tab is closed or the user signs out in any tab, and survives a reload. It is in no address,
 * no cookie and no storage that outlives the tab.
 */
export function storedSession(): Session | null {
  const stored = read(() => sessionStorage, SESSION);
  return stored === null ? null : parseSession(stored);
}

/** Null for a text that another version of the page has stored, or that is damaged: the user signs in again. */
function parseSession(text: string): Session | null {
  try {
    const { key, account, scopes, expiresAt } = JSON.parse(text) as Session;
    const isWhole =
      typeof key === 'string' &&
      typeof account === 'string' &&
      Array.isArray(scopes) &&
      (expiresAt === null || typeof expiresAt === 'string');
    return isWhole ? { key, account, scopes, expiresAt } : null;
  } catch {
    return null;
  }
}

export function storeSession(session: Session): void {
  write(() => sessionStorage, SESSION, JSON.stringify(session));
}

export function removeSession(): void {
  memory.delete(SESSION);
  try {
    sessionStorage.removeItem(SESSION);
  } catch {
    // Nothing was stored.
  }
}

/** The time zone that was chosen last. The local one follows the device. */
export function storedZone(): string {
  return read(() => localStorage, ZONE) === 'local' ? localZone() : UTC;
}

export function storeZone(zone: string): void {
  write(() => localStorage, ZONE, zone === UTC ? 'utc' : 'local');
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
