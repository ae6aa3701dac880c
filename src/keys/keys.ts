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

/**
 * Stores keys and sessions. A change writes its audit entry in the same database transaction, if it changes
 * something.
 */
export interface ApiKeyStore {
  createApiKey(key: ApiKey, entry: AuditEntry): Promise<void>;
  /**
   * The key or session with a hash, even if it is revoked or expired; undefined if there is none. A session
   * ends with the key that made it.
   */
  findApiKey(hash: string): Promise<ApiKey | undefined>;
  /** The key or session with an id, as findApiKey returns it. */
  retrieveApiKey(id: string): Promise<ApiKey | undefined>;
  /**
   * Replaces the code of a session with its key. Returns false and changes nothing if no session has this
   * code, or if the code has expired or the session has ended. Of several calls with one code, one succeeds.
   */
  openSession(opening: SessionOpening, entry: AuditEntry): Promise<boolean>;
  /**
   * The first sessions after a position, newest first, as findApiKey returns them. The sessions are those of
   * an account, of a person in an account, or of a person in all accounts.
   */
  listSessions(
    query: SessionQuery | PersonQuery,
    after: SessionPosition | null,
    limit: number,
  ): Promise<Session[]>;
  /**
   * Ends sessions in one database transaction: one session, all of a person, or otherwise at most
   * SESSIONS_AT_ONCE. Returns the ids of the sessions that had not ended. Ends expired sessions too, because
   * they may be valid by the clock of another process.
   */
  endSessions(end: SessionsEnd, entry: AuditEntry): Promise<string[]>;
  /** Removes sessions that expired before a time, at most SESSIONS_AT_ONCE. Returns their number. */
  removeExpiredSessions(beforeMs: number): Promise<number>;
  /**
   * The first keys after a position (null: from the first key), without sessions, at most `limit`. If
   * `account` is null, all accounts in byte order. The keys of an account come oldest first.
   */
  listApiKeys(account: string | null, after: ApiKeyPosition | null, limit: number): Promise<ApiKey[]>;
  /** Revokes a key, unless it is revoked already, and returns it. Undefined if no key has this id. */
  revokeApiKey(id: string, nowMs: number, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * Stores the new key of a roll, and lowers the expiry of the old key to at most `untilMs`, in one database
   * transaction. Returns the changed old key. Without a grace, revokes the old key, so that processes whose
   * clocks are behind refuse it too. Returns undefined and stores nothing if the account has no such key, or
   * if the key is revoked.
   */
  rollApiKey(roll: KeyRoll, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * The end at the given time and the ends recorded after it, in the order in which they became visible, at
   * most KEY_ENDS_PAGE. For null, the ends of the last KEY_ENDS_WINDOW_MS by the database's clock, or only
   * the last end if all are older.
   */
  listKeyEnds(fromRecordedAtMs: number | null): Promise<KeyEnd[]>;
  /** Stores when keys were last used, unless the stored time is the same or at most an hour later. */
  touchApiKeys(uses: readonly ApiKeyUse[]): Promise<void>;
}

type ApiKeyPosition = Pick<ApiKey, 'account' | 'createdAtMs' | 'id'>;

interface SessionOpening extends Pick<ApiKey, 'hash' | 'keyStart'> {
  codeHash: string;
  nowMs: number;
}

export interface SessionQuery {
  account: string;
  /** Null for all persons. */
  person: string | null;
}

export interface PersonQuery {
  account: null;
  person: string;
}

export type SessionPosition = Pick<ApiKey, 'createdAtMs' | 'id'>;

const FIRST_SESSION_POSITION: SessionPosition = { createdAtMs: Number.MAX_SAFE_INTEGER, id: '' };

/** The sessions to end: one, those of a person, those of an account, or those of every account. */
interface SessionsEnd extends Omit<SessionQuery, 'account'> {
  /** Null for every account, after a restore. */
  account: string | null;
  /** Null for all sessions. */
  id: string | null;
  nowMs: number;
}

/** The most sessions that one database transaction ends or removes, because recordings wait for it. */
export const SESSIONS_AT_ONCE = 500;

const FIRST_API_KEY_POSITION: ApiKeyPosition = {
  account: '',
  createdAtMs: Number.MIN_SAFE_INTEGER,
  id: '',
};

/** The secret that seals cursors if no setting gives one. */
interface CursorSecretStore {
  /** Stores `proposed` unless a secret is stored, and returns the stored secret. */
  storeCursorSecret(proposed: string): Promise<string>;
}

/** The roll of a key: a new key, and the time until which the old one is accepted. */
export interface KeyRoll {
  account: string;
  id: string;
  /** The new key. If null, the roll only lowers the expiry of the old key. */
  created: ApiKey | null;
  untilMs: number;
  nowMs: number;
}

/** The end of a key that was revoked or rolled, or of a session that was ended. */
export interface KeyEnd extends Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'> {
  id: string;
  /** When the end was recorded, by the database's clock. Later than the ends of all other existing keys. */
  recordedAtMs: number;
}

export const KEY_ENDS_PAGE = 500;
/**
 * How far back the ends of keys are read at first: far longer than a key is cached, because the clocks of
 * machines differ.
 */
export const KEY_ENDS_WINDOW_MS = 300_000;

/** How long the end of a key can be read at least, even if its account is erased. */
export const KEY_ENDS_KEPT_MS = 5000;

/**
 * By how much a stored use can be later than a new one. If it is more, the clock that wrote the stored use
 * was ahead. Instances store uses some seconds apart, and their clocks differ.
 */
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

/** Reads a key. A session ends no later than the operator's key that made it. */
function readBoundedKey(row: Row): ApiKey {
  const key = readKey(row);
  const makerId = row.textOrNull();
  const revokedAtMs = row.integerOrNull();
  const expiresAtMs = row.integerOrNull();
  if ((key.session?.madeBy ?? null) === null) return key;
  return {
    ...key,
    // A session whose operator's key is gone is refused, because nothing would end it.
    revokedAtMs: earlier(key.revokedAtMs, makerId === null ? key.createdAtMs : revokedAtMs),
    expiresAtMs: earlier(key.expiresAtMs, expiresAtMs),
  };
}

const NO_SESSION = { person: null, reason: null, codeExpiresAtMs: null, madeBy: null };

/** Stores a key. `replaced` is the id of the key that it replaces: if that is revoked, nothing is stored. */
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
      // All instances lock rows in this order, so that no two wait for each other.
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
        // A session has the hash of the new key only if this transaction opened the session.
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
      // Sorted by id, so that no two transactions wait for each other's locks.
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

/** The most uses in one statement, because other queries wait for it. */
const USES_AT_ONCE = 100;
/**
 * How long storing the uses of keys may take. What cannot be stored now is stored later, so it must not delay
 * a service that stops.
 */
const KEY_USES_WAIT_MS = 300;
/** The secret is stored when the service starts, before any request waits. */
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

/** `acceptedUntil` is the end of the grace. A key that expires earlier is accepted only until its expiry. */
export const keyRolled = (
  { account, id, created, untilMs }: Omit<KeyRoll, 'nowMs'>,
  stamp: AuditStamp,
): AuditEntry =>
  auditEntry(stamp, 'key.rolled', account, id, {
    newKeyId: created?.id ?? null,
    acceptedUntil: timeOrNull(untilMs),
  });

/** What an audit entry says about a session: its person, its reason, and the operator's key that made it. */
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

/**
 * The entry for ending all sessions of an account, or all of a person in it. OPERATOR_ACCOUNT stands for all
 * accounts.
 */
export const sessionsEnded = (account: string, person: string | null, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'session.ended', account, null, { person });
