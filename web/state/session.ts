import { localZone, UTC } from '../text/time.ts';
import { read, readTab, removeTab, write, writeTab } from './storage.ts';

const SESSION = 'transactions.session';
const ZONE = 'transactions.time-zone';
const OVER = 'transactions.over';
const USED = 'transactions.used';
/** More than the tabs that wait for a mark. */
const MAX_OVER = 50;

/** A signed-in user: the key, and what the service says that it is for. */
export interface Session {
  key: string;
  account: string;
  /** The person of a session, or null for an API key. */
  person: string | null;
  scopes: readonly string[];
  /** When the key ends, or null. */
  expiresAt: string | null;
  /** When the clock of this device, which can be wrong, shows that time. */
  endsAtMs: number | null;
  /** Names this sign-in where the key must not be. */
  id: string;
}

/*
 * The key is stored until the tab is closed, the session ends or the user signs out in any tab, and survives
 * a reload. It is in no address, no cookie and no storage that outlives the tab; a browser that opens its
 * tabs again restores the tab with it.
 */
export function storedSession(): Session | null {
  const stored = readTab(SESSION);
  return stored === null ? null : parseSession(stored);
}

/**
 * Null for a text that another version of the page has stored, or that is damaged: the user signs in again.
 */
function parseSession(text: string): Session | null {
  try {
    const { key, account, person, scopes, expiresAt, endsAtMs, id } = JSON.parse(text) as Session;
    const isWhole =
      [key, account, id].every((part) => typeof part === 'string') &&
      [person, expiresAt].every((part) => part === null || typeof part === 'string') &&
      (endsAtMs === null || typeof endsAtMs === 'number') &&
      Array.isArray(scopes);
    return isWhole ? { key, account, person, scopes, expiresAt, endsAtMs, id } : null;
  } catch {
    return null;
  }
}

export const storeSession = (session: Session): void => writeTab(SESSION, JSON.stringify(session));

export const removeSession = (): void => removeTab(SESSION);

/**
 * Remembers that the user has signed out, for tabs that show another site, or that the browser opens again
 * later.
 */
export function markOver(id: string): void {
  write(() => localStorage, OVER, [...idsOver(), id].slice(-MAX_OVER).join(' '));
}

export const isOver = ({ id }: Session): boolean => idsOver().includes(id);

/** Remembers when a sign-in was last used, in any tab. */
export function markUsed({ id }: Session, atMs: number): void {
  write(() => localStorage, USED, `${id} ${atMs}`);
}

/**
 * The time at which a sign-in was last used; undefined if another one was used later, or nothing is stored.
 */
export function usedAtMs({ id }: Session): number | undefined {
  const [used, atMs] = (read(() => localStorage, USED) ?? '').split(' ');
  return used === id ? Number(atMs) : undefined;
}

const idsOver = (): string[] => (read(() => localStorage, OVER) ?? '').split(' ').filter(Boolean);

/** The time zone that was chosen last: that of the device, unless it was UTC. */
export const storedZone = (): string => (read(() => localStorage, ZONE) === 'utc' ? UTC : localZone());

export function storeZone(zone: string): void {
  write(() => localStorage, ZONE, zone === UTC ? 'utc' : 'local');
}
