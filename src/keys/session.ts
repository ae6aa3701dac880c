import { randomBase62 } from '../../values/base62.ts';
import { formatTimestamp, timeOrNull } from '../../values/calendar.ts';
import { PERSON_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { Scope } from '../../values/scopes.ts';
import { hasUnseen } from '../../values/visible.ts';
import type { AuditEntry, AuditStamp } from '../audit/audit.ts';
import {
  explainLabel,
  generateSecret,
  hashApiKey,
  isSession,
  isUsable,
  isWellFormedApiKey,
  type Session,
  UNUSED,
} from './api-key.ts';
import { type ApiKeyStore, SESSIONS_AT_ONCE, sessionOpened } from './keys.ts';

/* A waiting session stores the hash of its code. Exchanging the code replaces this hash, so a code works only
   once. */
const SESSION_ID = /^ses_[0-9A-Za-z]{16}$/;
const CODE_LIFETIME_MS = 60_000;

export const SESSION_SECONDS = { least: 60, most: 43_200, default: 28_800 } as const;

/** How long an expired session is kept. After that, only the audit trail names its person. */
export const SESSION_KEPT_MS = 7 * 86_400_000;

/** Names are compared exactly, so invisible characters are refused. */
export function explainPerson(text: string): string | undefined {
  const fault = explainLabel(text, PERSON_MAX_CHARACTERS);
  if (fault !== undefined) return fault;
  if (text.trim() !== text) return 'must have no space at its beginning or end: it is compared exactly';
  return hasUnseen(text)
    ? 'must have no character that is invisible or looks like a space, such as a zero-width space: it is compared exactly'
    : undefined;
}

export const isSessionId = (text: string): boolean => SESSION_ID.test(text);

export interface NewSession {
  account: string;
  person: string;
  reason: string | null;
  scopes: readonly Scope[];
  expiresInMs: number;
  /** Null if the session is made on the command line or by staff. */
  maker: { keyId: string; expiresAtMs: number | null } | null;
}

export function makeSession(
  { account, person, reason, scopes, expiresInMs, maker }: NewSession,
  nowMs: number,
  randomBytes: RandomBytes,
): { code: string; stored: Session } {
  const { text: code, hash, keyStart } = generateSecret(randomBytes, 'code');
  const expiresAtMs = Math.min(nowMs + expiresInMs, maker?.expiresAtMs ?? Number.POSITIVE_INFINITY);
  const stored = {
    id: `ses_${randomBase62(16, randomBytes)}`,
    account,
    hash,
    keyStart,
    label: null,
    scopes,
    accountPrefix: null,
    createdAtMs: nowMs,
    expiresAtMs,
    ...UNUSED,
    session: {
      person,
      reason,
      codeExpiresAtMs: Math.min(nowMs + CODE_LIFETIME_MS, expiresAtMs),
      openedAtMs: null,
      madeBy: maker?.keyId ?? null,
    },
  };
  return { code, stored };
}

export async function exchangeCode(
  store: Pick<ApiKeyStore, 'findApiKey' | 'openSession'>,
  code: string,
  stampOf: (session: Session) => AuditStamp,
  randomBytes: RandomBytes,
): Promise<{ key: string; session: Session; entry: AuditEntry } | undefined> {
  if (!isWellFormedApiKey(code, 'code')) return undefined;
  const codeHash = hashApiKey(code);
  const session = await store.findApiKey(codeHash);
  if (session === undefined || !isSession(session)) return undefined;
  const entry = sessionOpened(session, stampOf(session));
  const nowMs = entry.atMs;
  if (!isUsable(session, nowMs) || nowMs >= session.session.codeExpiresAtMs) return undefined;
  const { text: key, hash, keyStart } = generateSecret(randomBytes, 'session');
  const isOpened = await store.openSession({ codeHash, hash, keyStart, nowMs }, entry);
  return isOpened ? { key, session, entry } : undefined;
}

export function stateOfSession(
  { revokedAtMs, expiresAtMs, session }: Session,
  nowMs: number,
): 'waiting' | 'open' | 'ended' | 'expired' {
  // Another process with a clock that is ahead can have stored a `revokedAtMs` in the future.
  if (revokedAtMs !== null && Math.min(revokedAtMs, nowMs) < expiresAtMs) return 'ended';
  if (nowMs >= expiresAtMs) return 'expired';
  if (session.openedAtMs !== null) return 'open';
  return nowMs < session.codeExpiresAtMs ? 'waiting' : 'expired';
}

export const formatSession = ({ session, ...key }: Session) => ({
  id: key.id,
  account: key.account,
  person: session.person,
  scopes: [...key.scopes],
  reason: session.reason,
  createdAt: formatTimestamp(key.createdAtMs),
  expiresAt: formatTimestamp(key.expiresAtMs),
});

export const formatCreatedSession = (session: Session, code: string, publicUrl: string | null) => ({
  ...formatSession(session),
  code,
  codeExpiresAt: formatTimestamp(session.session.codeExpiresAtMs),
  url: sessionUrl(publicUrl, code),
});

export const formatListedSession = (listed: Session, nowMs: number) => ({
  ...formatSession(listed),
  openedAt: timeOrNull(listed.session.openedAtMs),
  state: stateOfSession(listed, nowMs),
});

/** The code is in the fragment of the URL, which browsers do not send to a server. */
export const sessionUrl = (publicUrl: string | null, code: string): string | null =>
  publicUrl === null ? null : `${publicUrl.replace(/#.*$/, '')}#session=${code}`;

export async function removeExpiredSessions(
  store: Pick<ApiKeyStore, 'removeExpiredSessions'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const beforeMs = nowMs - SESSION_KEPT_MS;
  while (!signal.aborted && (await store.removeExpiredSessions(beforeMs)) === SESSIONS_AT_ONCE);
}
