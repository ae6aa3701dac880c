import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What is stored of a key. */
export type StoredKey = {
  id: string;
  account: string;
  label: string | null;
  scopes: string[];
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
};

const PREFIX = 'tk_live_';
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The keys of all accounts, by their SHA-256. */
export class Keys {
  readonly all = new Map<string, StoredKey>();

  /** Returns the key itself, which is not stored, with what is. */
  create(account: string, options: Partial<StoredKey>, nowMs: number): { key: string; stored: StoredKey } {
    const body = `${PREFIX}${randomLetters(30)}`;
    const key = body + checksum(body);
    const stored: StoredKey = {
      id: `key_${randomLetters(16)}`,
      account,
      label: options.label ?? null,
      scopes: options.scopes ?? ['read'],
      createdAtMs: nowMs,
      expiresAtMs: options.expiresAtMs ?? null,
      revokedAtMs: null,
    };
    this.all.set(hash(key), stored);
    return { key, stored };
  }

  /** Returns undefined for unknown, misspelt, revoked and expired keys alike. */
  find(key: string, nowMs: number): StoredKey | undefined {
    if (!key.startsWith(PREFIX) || checksum(key.slice(0, -6)) !== key.slice(-6)) return undefined;
    const stored = this.all.get(hash(key));
    if (stored === undefined || stored.revokedAtMs !== null) return undefined;
    return stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs ? undefined : stored;
  }

  ofAccount(account: string): StoredKey[] {
    return [...this.all.values()].filter((stored) => stored.account === account);
  }
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = `${LETTERS[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Bytes from 248 on are left out, so that all 62 letters are equally likely. */
export function randomLetters(count: number): string {
  let letters = '';
  while (letters.length < count) {
    const [byte = 255] = randomBytes(1);
    if (byte < 248) letters += LETTERS[byte % 62];
  }
  return letters;
}
