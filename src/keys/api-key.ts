import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomBase62 } from '../values/base62.ts';
import { API_KEY_PREFIX, OPERATOR_ACCOUNT, OPERATOR_KEY_PREFIX } from '../values/caller.ts';
import type { RandomBytes } from '../values/reference.ts';
import type { KeyKind, Scope } from '../values/scopes.ts';
import { DEFAULT_SCOPES } from './scopes.ts';

/*
 * A key is `tk_live_` or `tk_operator_`, 30 random characters of base62 (178 bits), and their CRC32 in 6 characters. A
 * misspelt key is refused by its checksum, without a query. Secret scanners recognise a leaked key by its prefix.
 */
const PREFIXES: Record<KeyKind, string> = { account: API_KEY_PREFIX, operator: OPERATOR_KEY_PREFIX };
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
/** The random characters that are stored and shown. The other 24 have 142 bits: more than anybody can try. */
const SHOWN_CHARACTERS = 6;
const formOf = (kind: KeyKind) =>
  new RegExp(`^${PREFIXES[kind]}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`);
const FORMS: Record<KeyKind, RegExp> = { account: formOf('account'), operator: formOf('operator') };
const KEY_ID = /^key_[0-9A-Za-z]{16}$/;

/** The stored part of an API key. The key itself is shown once and never stored. */
export interface ApiKey {
  id: string;
  /** An account's name, or OPERATOR_ACCOUNT. */
  account: string;
  /** SHA-256 of the key, in lower-case hexadecimal. */
  hash: string;
  /** How the key begins, so that a leaked one is recognised: its prefix and 6 characters. */
  keyStart: string;
  label: string | null;
  /** What the key can do: at least one scope of its kind. */
  scopes: readonly Scope[];
  /** How the accounts begin that an operator's key is for; null for all accounts, and for the key of an account. */
  accountPrefix: string | null;
  createdAtMs: number;
  /** Refused from this moment on. */
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  /** When the key was first rolled: another one replaces it, and it ends by its expiry. Null if it was not. */
  rolledAtMs: number | null;
  /** The expiry that the key had before it was rolled. */
  expiresBeforeRollMs: number | null;
  lastUsedAtMs: number | null;
}

export const LABEL_MAX_CHARACTERS = 100;

function checksum(random: string): string {
  let value = crc32(random);
  let text = '';
  for (let count = 0; count < CHECKSUM_CHARACTERS; count++) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

/** A new key and its id. */
export function generateApiKey(
  randomBytes: RandomBytes,
  kind: KeyKind = 'account',
): { id: string; key: string } {
  const random = randomBase62(RANDOM_CHARACTERS, randomBytes);
  return {
    id: `key_${randomBase62(16, randomBytes)}`,
    key: PREFIXES[kind] + random + checksum(random),
  };
}

export interface NewApiKey {
  account: string;
  label: string | null;
  expiresAtMs: number | null;
  /** The default ones of the kind of the key if they are absent. */
  scopes?: readonly Scope[];
  accountPrefix?: string | null;
}

/** The kind of the keys with this account. */
export const kindOfAccount = (account: string): KeyKind =>
  account === OPERATOR_ACCOUNT ? 'operator' : 'account';

/** A new key for an account or the operator, and its stored part. */
export function makeApiKey(
  { account, label, expiresAtMs, scopes, accountPrefix = null }: NewApiKey,
  nowMs: number,
  randomBytes: RandomBytes,
): { key: string; stored: ApiKey } {
  const kind = kindOfAccount(account);
  const { id, key } = generateApiKey(randomBytes, kind);
  const stored = {
    id,
    account,
    hash: hashApiKey(key),
    keyStart: key.slice(0, PREFIXES[kind].length + SHOWN_CHARACTERS),
    label,
    scopes: scopes ?? DEFAULT_SCOPES[kind],
    accountPrefix,
    createdAtMs: nowMs,
    expiresAtMs,
    revokedAtMs: null,
    rolledAtMs: null,
    expiresBeforeRollMs: null,
    lastUsedAtMs: null,
  };
  return { key, stored };
}

/** Whether a text has the form of a key of any kind. Its checksum can be wrong: then it is a misspelt key. */
export function hasApiKeyForm(text: string): boolean {
  return Object.values(FORMS).some((form) => form.test(text));
}

/** Whether a text has the form and the checksum of a key. A well-formed key can still be unknown. */
export function isWellFormedApiKey(text: string, kind: KeyKind = 'account'): boolean {
  const parts = FORMS[kind].exec(text);
  return parts !== null && checksum(parts[1] as string) === parts[2];
}

/** Why a text can't be a key's label, or undefined if it can. */
export function explainLabel(text: string): string | undefined {
  const characters = [...text].length;
  return characters < 1 || characters > LABEL_MAX_CHARACTERS || /\p{Cc}/u.test(text)
    ? `must be 1 to ${LABEL_MAX_CHARACTERS} characters without control characters`
    : undefined;
}

export function stateOfApiKey(
  key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'active' | 'revoked' | 'expired' {
  if (key.revokedAtMs !== null) return 'revoked';
  return isUsable(key, nowMs) ? 'active' : 'expired';
}

const KEY_START = new RegExp(`^(?:${Object.values(PREFIXES).join('|')})[0-9A-Za-z]{${SHOWN_CHARACTERS}}$`);

/** Whether a text is how a key begins, and no longer. */
export function isKeyStart(text: string): boolean {
  return KEY_START.test(text);
}

export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

/** The form in which a key is stored and looked up. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Whether a key is neither revoked nor expired. */
export function isUsable(key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs);
}
