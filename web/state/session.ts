import { localZone, UTC } from '../text/time.ts';
import { read, readTab, removeTab, write, writeTab } from './storage.ts';

const SESSION = 'transactions.session';
const ZONE = 'transactions.time-zone';
const OVER = 'transactions.over';
const USED = 'transactions.used';
/** How many sign-outs are stored, for tabs that have not read them yet. */
const MAX_OVER = 50;

export interface Session {
  key: string;
  account: string;
  person: string | null;
  scopes: readonly string[];
  expiresAt: string | null;
  /** The time of this device's clock at which the page ends the session. */
  endsAtMs: number | null;
  /** Stands for the session in places where the key must not appear. */
  id: string;
}

/* The key is stored until the tab closes, the session ends or the user signs out in any tab. No address,
   cookie or lasting storage contains it. */
export function storedSession(): Session | null {
  const stored = readTab(SESSION);
  return stored === null ? null : parseSession(stored);
}

/** Returns null if the text is damaged or from another version of the page. */
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

/** Stores a sign-out for tabs that are closed now, or show another site. They read it when they come back. */
export function markOver(id: string): void {
  write(() => localStorage, OVER, [...idsOver(), id].slice(-MAX_OVER).join(' '));
}

export const isOver = ({ id }: Session): boolean => idsOver().includes(id);

export function markUsed({ id }: Session, atMs: number): void {
  write(() => localStorage, USED, `${id} ${atMs}`);
}

export function usedAtMs({ id }: Session): number | undefined {
  const [used, atMs] = (read(() => localStorage, USED) ?? '').split(' ');
  return used === id ? Number(atMs) : undefined;
}

const idsOver = (): string[] => (read(() => localStorage, OVER) ?? '').split(' ').filter(Boolean);

export const storedZone = (): string => (read(() => localStorage, ZONE) === 'utc' ? UTC : localZone());

export function storeZone(zone: string): void {
  write(() => localStorage, ZONE, zone === UTC ? 'utc' : 'local');
}
