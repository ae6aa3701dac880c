import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomBase62 } from '../../values/base62.ts';
import { formatTimestamp, timeOrNull } from '../../values/calendar.ts';
import {
  API_KEY_PREFIX,
  OPERATOR_ACCOUNT,
  OPERATOR_KEY_PREFIX,
  SECRET_PREFIXES,
  SESSION_CODE_PREFIX,
  SESSION_KEY_PREFIX,
} from '../../values/caller.ts';
import { LABEL_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { knownNames } from '../../values/known-names.ts';
import { quote } from '../../values/quote.ts';
import type { RandomBytes } from '../../values/reference.ts';
import { type KeyKind, SCOPES, type Scope, type ScopeOf } from '../../values/scopes.ts';
import { isSeen } from '../../values/visible.ts';
import { isIdentifier } from '../ledger/transaction.ts';

/* A misspelt key has a wrong checksum, so it is refused without a query. Secret scanners recognise a key by
   its prefix. */
const PREFIXES = {
  account: API_KEY_PREFIX,
  operator: OPERATOR_KEY_PREFIX,
  session: SESSION_KEY_PREFIX,
  code: SESSION_CODE_PREFIX,
} as const satisfies Record<KeyKind | 'session' | 'code', (typeof SECRET_PREFIXES)[number]>;
type SecretKind = keyof typeof PREFIXES;
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
/** `keyStart` has only this many random characters. Nobody can guess the other 24, which have 142 bits. */
const SHOWN_CHARACTERS = 6;
const formOf = (prefixes: readonly string[]) =>
  new RegExp(
    `^(?:${prefixes.join('|')})([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`,
  );
const FORM = formOf(SECRET_PREFIXES);
const FORMS = {
  account: formOf([API_KEY_PREFIX, SESSION_KEY_PREFIX]),
  operator: formOf([OPERATOR_KEY_PREFIX]),
  code: formOf([SESSION_CODE_PREFIX]),
} as const satisfies Record<KeyKind | 'code', RegExp>;
const KEY_ID = /^key_[0-9A-Za-z]{16}$/;

export interface ApiKey {
  /** `key_` and 16 characters of base62. The id of a session begins with `ses_` instead. */
  id: string;
  account: string;
  /** Lower-case hexadecimal SHA-256 of the key or, until a session is opened, of the session's code. */
  hash: string;
  keyStart: string;
  label: string | null;
  scopes: readonly Scope[];
  /** An operator's key can be limited to accounts with this prefix. Null for no limit. */
  accountPrefix: string | null;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  /** The time of the first roll. A roll lowers `expiresAtMs` to the end of the grace period. */
  rolledAtMs: number | null;
  expiresBeforeRollMs: number | null;
  lastUsedAtMs: number | null;
  session: SessionFields | null;
}

export interface SessionFields {
  person: string;
  reason: string | null;
  codeExpiresAtMs: number;
  openedAtMs: number | null;
  /** Id of the operator's key that made the session. The session ends with the key. Null without a key. */
  madeBy: string | null;
}

export interface Session extends ApiKey {
  expiresAtMs: number;
  session: SessionFields;
}

export const isSession = (key: ApiKey): key is Session => key.session !== null;

function checksum(random: string): string {
  let value = crc32(random);
  let text = '';
  for (let count = 0; count < CHECKSUM_CHARACTERS; count++) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

export function generateSecret(
  randomBytes: RandomBytes,
  kind: SecretKind,
): { text: string } & Pick<ApiKey, 'hash' | 'keyStart'> {
  const random = randomBase62(RANDOM_CHARACTERS, randomBytes);
  const text = PREFIXES[kind] + random + checksum(random);
  return { text, hash: hashApiKey(text), keyStart: text.slice(0, PREFIXES[kind].length + SHOWN_CHARACTERS) };
}

export interface NewApiKey {
  account: string;
  label: string | null;
  expiresAtMs: number | null;
  scopes?: readonly Scope[];
  accountPrefix?: string | null;
}

export const kindOfAccount = (account: string): KeyKind =>
  account === OPERATOR_ACCOUNT ? 'operator' : 'account';

export const UNUSED = {
  revokedAtMs: null,
  rolledAtMs: null,
  expiresBeforeRollMs: null,
  lastUsedAtMs: null,
} as const;

export function makeApiKey(
  { account, label, expiresAtMs, scopes, accountPrefix = null }: NewApiKey,
  nowMs: number,
  randomBytes: RandomBytes,
): { key: string; stored: ApiKey } {
  const kind = kindOfAccount(account);
  const { text: key, hash, keyStart } = generateSecret(randomBytes, kind);
  const stored = {
    id: `key_${randomBase62(16, randomBytes)}`,
    account,
    hash,
    keyStart,
    label,
    scopes: scopes ?? DEFAULT_SCOPES[kind],
    accountPrefix,
    createdAtMs: nowMs,
    expiresAtMs,
    ...UNUSED,
    session: null,
  };
  return { key, stored };
}

/** Does not verify the checksum. */
export function hasApiKeyForm(text: string): boolean {
  return FORM.test(text);
}

export function isWellFormedApiKey(text: string, kind: keyof typeof FORMS = 'account'): boolean {
  const parts = FORMS[kind].exec(text);
  return parts !== null && checksum(parts[1] as string) === parts[2];
}

export function explainLabel(text: string, mostCharacters = LABEL_MAX_CHARACTERS): string | undefined {
  const characters = [...text].length;
  if (characters < 1 || characters > mostCharacters || /\p{Cc}/u.test(text))
    return `must be 1 to ${mostCharacters} characters without control characters`;
  return isSeen(text) ? undefined : 'must have a visible character';
}

export function stateOfApiKey(
  key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'active' | 'revoked' | 'expired' {
  if (key.revokedAtMs !== null) return 'revoked';
  return isUsable(key, nowMs) ? 'active' : 'expired';
}

export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export function isUsable(key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs);
}

export const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

export const formatKey = (key: ApiKey) => ({
  id: key.id,
  account: key.account,
  keyStart: key.keyStart,
  label: key.label,
  scopes: [...key.scopes],
  createdAt: formatTimestamp(key.createdAtMs),
  expiresAt: timeOrNull(key.expiresAtMs),
});

export const formatListedKey = (key: ApiKey, nowMs: number) => ({
  ...formatKey(key),
  state: stateOfApiKey(key, nowMs),
  revokedAt: timeOrNull(key.revokedAtMs),
  rolledAt: timeOrNull(key.rolledAtMs),
  lastUsedAt: timeOrNull(key.lastUsedAtMs),
});

export const DEFAULT_SCOPES: { readonly [Kind in KeyKind]: readonly ScopeOf<Kind>[] } = {
  account: ['read'],
  operator: ['record', 'keys'],
};

const isScopeOf = (kind: KeyKind) => {
  const known: readonly string[] = SCOPES[kind];
  return (name: string): name is Scope => known.includes(name);
};

const sorted = (names: readonly string[], kind: KeyKind): Scope[] =>
  SCOPES[kind].filter((scope) => names.includes(scope));

export const listed = (scopes: readonly Scope[]): string => scopes.join(', ').replace(/, (\w+)$/, ' and $1');

export function readScopes(
  names: readonly string[],
  kind: KeyKind,
): { scopes: readonly Scope[] } | { fault: string } {
  const kinds = `scopes of ${kind === 'account' ? "an account's" : "an operator's"} key`;
  if (names.length === 0) return { fault: `has no scope; the ${kinds} are ${listed(SCOPES[kind])}` };
  const unknown = names.find((name) => !isScopeOf(kind)(name));
  if (unknown !== undefined)
    return {
      fault: `has ${quote(unknown)}, which is not a scope${knownNames(unknown, SCOPES[kind], kinds)}`,
    };
  return { scopes: sorted(names, kind) };
}

/** Source: RFC 6749, 3.3. */
export const storedScopes = (scopes: readonly Scope[]): string => scopes.join(' ');

/** A scope that this version does not know is left out, so it allows nothing. */
export function scopesOfStored(stored: string, kind: KeyKind): readonly Scope[] {
  return sorted(stored.split(' '), kind);
}

export function explainAccountPrefix(text: string): string | undefined {
  // "." is not an account, but an account's name can begin with it.
  return text !== '' && (isIdentifier(text) || isIdentifier(`${text}a`))
    ? undefined
    : 'must be 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", with which the accounts begin';
}

export function isWithinPrefix(account: string, prefix: string | null): boolean {
  return prefix === null || account.startsWith(prefix);
}
