import { timeOrNull } from '../../values/calendar.ts';
import { type AuditEntry, type AuditStamp, auditEntry, auditValues } from '../audit/audit.ts';
import { readDatabaseClock } from '../db/database-clock.ts';
import type { Db } from '../db/db.ts';
import { type Row, type Step, statementsOf } from '../db/statement.ts';
import {
  type ApiKey,
  earlier,
  kindOfAccount,
  type Session,
  type SessionFields,
  scopesOfStored,
  storedScopes,
} from './api-key.ts';

/** A call writes its `entry` only if the call changes something, and in the same database transaction. */
export interface ApiKeyStore {
  createApiKey(key: ApiKey, entry: AuditEntry): Promise<void>;
  /** Also finds revoked and expired keys. */
  findApiKey(hash: string): Promise<ApiKey | undefined>;
  retrieveApiKey(id: string): Promise<ApiKey | undefined>;
  /** Returns false if the code is unknown, used or expired, or if the session has ended. */
  openSession(opening: SessionOpening, entry: AuditEntry): Promise<boolean>;
  listSessions(
    query: SessionQuery | PersonQuery,
    after: SessionPosition | null,
    limit: number,
  ): Promise<Session[]>;
  /**
   * Returns the ids of the ended sessions. To end all sessions of one or every account, repeat the call until
   * it returns no id, because each of these calls ends at most SESSIONS_AT_ONCE sessions.
   * An expired session is ended too, because a process with a slow clock could still accept it.
   */
  endSessions(end: SessionsEnd, entry: AuditEntry): Promise<string[]>;
  removeExpiredSessions(beforeMs: number): Promise<number>;
  /** Leaves out sessions. Sorts the keys by account in byte order, then by age, the oldest first. */
  listApiKeys(account: string | null, after: ApiKeyPosition | null, limit: number): Promise<ApiKey[]>;
  revokeApiKey(id: string, nowMs: number, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * Makes the old key expire at `untilMs`, unless it expires earlier. If `untilMs` is `nowMs`, revokes the
   * key: where a clock is behind, an expired key would still work. If the key was already revoked, or is not
   * a key of the account, returns undefined and stores nothing.
   */
  rollApiKey(roll: KeyRoll, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * Returns at most KEY_ENDS_PAGE revocations from `fromRecordedAtMs` on, sorted by `recordedAtMs`. With
   * null, returns those of the last KEY_ENDS_WINDOW_MS, and at least the latest.
   */
  listKeyEnds(fromRecordedAtMs: number | null): Promise<KeyEnd[]>;
  /** Keeps a later use that is already stored (see KEY_USES_DIFFER_MS). */
  touchApiKeys(uses: readonly ApiKeyUse[]): Promise<void>;
}

type ApiKeyPosition = Pick<ApiKey, 'account' | 'createdAtMs' | 'id'>;

interface SessionOpening extends Pick<ApiKey, 'hash' | 'keyStart'> {
  codeHash: string;
  nowMs: number;
}

export interface SessionQuery {
  account: string;
  person: string | null;
}

export interface PersonQuery {
  account: null;
  person: string;
}

export type SessionPosition = Pick<ApiKey, 'createdAtMs' | 'id'>;

const FIRST_SESSION_POSITION: SessionPosition = { createdAtMs: Number.MAX_SAFE_INTEGER, id: '' };

interface SessionsEnd extends Omit<SessionQuery, 'account'> {
  /** If null, the sessions of every account end, for example after a restore. */
  account: string | null;
  id: string | null;
  nowMs: number;
}

/** On SQLite, recordings wait while sessions are ended or removed, so only this many are handled at once. */
export const SESSIONS_AT_ONCE = 500;

const FIRST_API_KEY_POSITION: ApiKeyPosition = {
  account: '',
  createdAtMs: Number.MIN_SAFE_INTEGER,
  id: '',
};

interface CursorSecretStore {
  storeCursorSecret(proposed: string): Promise<string>;
}

export interface KeyRoll {
  account: string;
  id: string;
  /** If null, no key is created: the roll only makes the old key expire earlier. */
  created: ApiKey | null;
  untilMs: number;
  nowMs: number;
}

/** The revocation of a key or session, or the earlier expiry of a rolled key. */
export interface KeyEnd extends Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'> {
  id: string;
  /** By the database's clock. Each new revocation gets a larger value, even if the clock was set back. */
  recordedAtMs: number;
}

export const KEY_ENDS_PAGE = 500;
/** How far `listKeyEnds(null)` looks back: longer than keys are cached (60 s), in case clocks are wrong. */
export const KEY_ENDS_WINDOW_MS = 300_000;

/** An erasure keeps revoked keys for at least this time, so that every instance sees the revocation. */
export const KEY_ENDS_KEPT_MS = 5000;

/** If a stored use is later than a new use by more than this, the stored use is wrong and is replaced. */
const KEY_USES_DIFFER_MS = 3_600_000;

export interface ApiKeyUse {
  account: string;
  id: string;
  usedAtMs: number;
}

const sql = statementsOf(new URL('./keys.sql', import.meta.url));

const FIND = sql('findKey', readBoundedKey);
const RETRIEVE = sql('retrieveKey', readBoundedKey);
const LIST = sql('listKeys', readKey);
const LIST_OF_ACCOUNT = sql('listKeysOfAccount', readKey);
const LIST_SESSIONS = sql('listSessions', readBoundedKey);
const LIST_SESSIONS_OF_PERSON = sql('listSessionsOfPerson', readBoundedKey);
const LIST_SESSIONS_ANYWHERE = sql('listSessionsAnywhere', readBoundedKey);
const INSERT = sql('insertKey');
const AUDIT_KEY = sql('auditKey');
const LOCK_ENDS = sql('lockEnds', (row) => row.integer());
const AUDIT_END = sql('auditEnd');
const END = sql('endKey', readId);
const LOCK_KEY = sql('lockKey', readId);
const ROLL = sql('rollKey', readKey);
const OPEN_SESSION = sql('openSession', readId);
const UNENDED_SESSION = sql('unendedSession', readId);
const UNENDED_OF_PERSON = sql('unendedOfPerson', readId);
const UNENDED_OF_ACCOUNT = sql('unendedOfAccount', readId);
const UNENDED_ANYWHERE = sql('unendedAnywhere', readId);
const REMOVE_EXPIRED_SESSIONS = sql('removeExpiredSessions', readId);
const LIST_ENDS = sql(
  'listEnds',
  (row): KeyEnd => ({
    id: row.text(),
    revokedAtMs: row.integerOrNull(),
    expiresAtMs: row.integerOrNull(),
    recordedAtMs: row.integer(),
  }),
);
const TOUCH = sql('touchKey');
const READ_CURSOR_SECRET = sql('readCursorSecret', readId);
const INSERT_CURSOR_SECRET = sql('insertCursorSecret');

function readId(row: Row): string {
  return row.text();
}

function readKey(row: Row): ApiKey {
  const id = row.text();
  const account = row.text();
  const kind = row.word();
  return {
    id,
    account,
    hash: row.text(),
    keyStart: row.text(),
    label: row.textOrNull(),
    scopes: scopesOfStored(row.text(), kindOfAccount(account)),
    accountPrefix: row.textOrNull(),
    createdAtMs: row.integer(),
    expiresAtMs: row.integerOrNull(),
    session: readSession(row, kind === 'session'),
    revokedAtMs: row.integerOrNull(),
    rolledAtMs: row.integerOrNull(),
    expiresBeforeRollMs: row.integerOrNull(),
    lastUsedAtMs: row.integerOrNull(),
  };
}

function readSession(row: Row, isSession: boolean): SessionFields | null {
  const session = {
    person: row.textOrNull(),
    reason: row.textOrNull(),
    codeExpiresAtMs: row.integerOrNull(),
    madeBy: row.textOrNull(),
    openedAtMs: row.integerOrNull(),
  };
  return isSession ? (session as SessionFields) : null;
}

function readBoundedKey(row: Row): ApiKey {
  const key = readKey(row);
  const makerId = row.textOrNull();
  const revokedAtMs = row.integerOrNull();
  const expiresAtMs = row.integerOrNull();
  if ((key.session?.madeBy ?? null) === null) return key;
  return {
    ...key,
    // A session ends when its maker's key ends. If that key's row is gone, the session counts as revoked.
    revokedAtMs: earlier(key.revokedAtMs, makerId === null ? key.createdAtMs : revokedAtMs),
    expiresAtMs: earlier(key.expiresAtMs, expiresAtMs),
  };
}

const NO_SESSION = { person: null, reason: null, codeExpiresAtMs: null, madeBy: null };

const inserting = ({ session, scopes, ...key }: ApiKey, replaced: string | null = null) => {
  const { person, reason, codeExpiresAtMs, madeBy } = session ?? NO_SESSION;
  const { id, account, hash, keyStart, label, accountPrefix, createdAtMs, expiresAtMs } = key;
  const kind = session === null ? 'key' : 'session';
  const ofKey = { id, account, kind, hash, keyStart, label, scopes: storedScopes(scopes), accountPrefix };
  const ofSession = { person, reason, codeExpiresAtMs, madeBy };
  return { statement: INSERT, values: { ...ofKey, createdAtMs, expiresAtMs, ...ofSession, replaced } };
};

const auditingEnd = (ended: string, entry: AuditEntry) => ({
  statement: AUDIT_END,
  values: { ...auditValues(entry), ended },
});

const LOCKING_ENDS = { statement: LOCK_ENDS, values: {} };
const FIRST = { turn: 'first' } as const;

async function listUnended(db: Db, { account, person, id }: SessionsEnd): Promise<string[]> {
  if (account === null) return db.read(UNENDED_ANYWHERE, { limit: SESSIONS_AT_ONCE });
  if (id !== null) return db.read(UNENDED_SESSION, { account, id });
  if (person !== null) return db.read(UNENDED_OF_PERSON, { account, person });
  return db.read(UNENDED_OF_ACCOUNT, { account, limit: SESSIONS_AT_ONCE });
}

export function apiKeyStore(db: Db): ApiKeyStore {
  return {
    createApiKey: async (key, entry) => {
      const auditing = { statement: AUDIT_KEY, values: { ...auditValues(entry), hash: key.hash } };
      await db.write(FIRST, [inserting(key), auditing]);
    },
    findApiKey: async (hash) => (await db.read(FIND, { hash }))[0],
    retrieveApiKey: async (id) => (await db.read(RETRIEVE, { id }))[0],
    listApiKeys: (account, after, limit) => {
      const { account: afterAccount, createdAtMs: afterMs, id: afterId } = after ?? FIRST_API_KEY_POSITION;
      return account === null
        ? db.read(LIST, { afterAccount, afterMs, afterId, limit })
        : db.read(LIST_OF_ACCOUNT, { account, afterMs, afterId, limit });
    },
    revokeApiKey: async (id, nowMs, entry) => {
      const databaseNow = await readDatabaseClock(db);
      const [, , , revoked] = await db.write(FIRST, [
        LOCKING_ENDS,
        auditingEnd(id, entry),
        { statement: END, values: { id, now: nowMs, databaseNow } },
        { statement: RETRIEVE, values: { id } },
      ]);
      return revoked[0];
    },
    rollApiKey: async ({ account, id, created, untilMs, nowMs }, entry) => {
      const databaseNow = await readDatabaseClock(db);
      const rolled = await db.write(FIRST, [
        LOCKING_ENDS,
        { statement: LOCK_KEY, values: { account, id } },
        ...(created === null ? [] : [inserting(created, id)]),
        auditingEnd(id, entry),
        { statement: ROLL, values: { account, id, until: untilMs, now: nowMs, databaseNow } },
      ]);
      return (rolled.at(-1) as ApiKey[])[0];
    },
    listKeyEnds: async (from) => {
      const windowStart = from ?? (await readDatabaseClock(db)) - KEY_ENDS_WINDOW_MS;
      return db.read(LIST_ENDS, { from, windowStart, limit: KEY_ENDS_PAGE });
    },
    touchApiKeys: async (uses) => {
      // All instances lock rows in this order, so no two wait for each other.
      const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const touching = ordered.map(({ id, usedAtMs }) => ({
        statement: TOUCH,
        values: { id, usedAtMs, differMs: KEY_USES_DIFFER_MS },
      }));
      const turn = { turn: 'first', waitMs: KEY_USES_WAIT_MS } as const;
      for (let from = 0; from < touching.length; from += USES_AT_ONCE)
        await db.write(turn, touching.slice(from, from + USES_AT_ONCE));
    },
    openSession: async ({ codeHash, hash, keyStart, nowMs }, entry) => {
      const [opened] = await db.write(FIRST, [
        { statement: OPEN_SESSION, values: { hash, keyStart, now: nowMs, codeHash } },
        { statement: AUDIT_KEY, values: { ...auditValues(entry), hash } },
      ]);
      return opened.length > 0;
    },
    listSessions: async ({ account, person }, after, limit) => {
      const { createdAtMs: beforeMs, id: beforeId } = after ?? FIRST_SESSION_POSITION;
      const place = { beforeMs, beforeId, limit };
      const listed =
        account === null
          ? db.read(LIST_SESSIONS_ANYWHERE, { person, ...place })
          : person === null
            ? db.read(LIST_SESSIONS, { account, ...place })
            : db.read(LIST_SESSIONS_OF_PERSON, { account, person, ...place });
      return (await listed) as Session[];
    },
    endSessions: async (end, entry) => {
      const [ids, databaseNow] = await Promise.all([listUnended(db, end), readDatabaseClock(db)]);
      if (ids.length === 0) return [];
      const steps: Step[] = ids
        .toSorted()
        .flatMap((id) => [
          auditingEnd(id, entry),
          { statement: END, values: { id, now: end.nowMs, databaseNow } },
        ]);
      const ended = await db.write(FIRST, [LOCKING_ENDS, ...steps]);
      return ended.slice(1).flat() as string[];
    },
    removeExpiredSessions: async (beforeMs) => {
      const values = { beforeMs, limit: SESSIONS_AT_ONCE };
      const [removed] = await db.write(FIRST, [{ statement: REMOVE_EXPIRED_SESSIONS, values }]);
      return removed.length;
    },
  };
}

const USES_AT_ONCE = 100;
/** Short, because the service waits for these writes when it stops. */
const KEY_USES_WAIT_MS = 300;
/** The secret is stored when the service starts. No request waits then, so the limit is long. */
const SECRET_WAIT_MS = 60_000;

export function cursorSecretStore(db: Db, now: () => number): CursorSecretStore {
  const read = async () => (await db.read(READ_CURSOR_SECRET, {}))[0];
  return {
    storeCursorSecret: async (proposed) => {
      const stored = await read();
      if (stored !== undefined) return stored;
      const inserting = { statement: INSERT_CURSOR_SECRET, values: { secret: proposed, now: now() } };
      await db.write({ turn: 'first', waitMs: SECRET_WAIT_MS }, [inserting]);
      return (await read()) as string;
    },
  };
}

export const keyCreated = (key: ApiKey, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'key.created', key.account, key.id, {
    scopes: key.scopes,
    expiresAt: timeOrNull(key.expiresAtMs),
  });

export const keyRevoked = ({ account, id }: Pick<ApiKey, 'account' | 'id'>, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'key.revoked', account, id);

export const keyRolled = (
  { account, id, created, untilMs }: Omit<KeyRoll, 'nowMs'>,
  stamp: AuditStamp,
): AuditEntry =>
  auditEntry(stamp, 'key.rolled', account, id, {
    newKeyId: created?.id ?? null,
    acceptedUntil: timeOrNull(untilMs),
  });

const sessionDetail = ({ person, reason, madeBy }: SessionFields) => ({ person, reason, madeBy });

export const sessionCreated = (
  { account, id, scopes, expiresAtMs, session }: Session,
  stamp: AuditStamp,
): AuditEntry =>
  auditEntry(stamp, 'session.created', account, id, {
    ...sessionDetail(session),
    scopes,
    expiresAt: timeOrNull(expiresAtMs),
  });

export const sessionOpened = ({ account, id, session }: Session, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'session.opened', account, id, sessionDetail(session));

export const sessionEnded = (
  { account, id, session }: Pick<Session, 'account' | 'id' | 'session'>,
  stamp: AuditStamp,
): AuditEntry => auditEntry(stamp, 'session.ended', account, id, sessionDetail(session));

export const sessionsEnded = (account: string, person: string | null, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'session.ended', account, null, { person });
