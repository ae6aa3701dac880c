import type { DatabaseSync } from 'node:sqlite';
import { auditWriter } from '../../audit/sqlite/audit.ts';
import { DATABASE_NOW_MS } from '../../db/sqlite/database-clock.ts';
import type { Synchronous } from '../../db/sqlite/synchronous.ts';
import type { ColumnValue } from '../../ledger/transaction-columns.ts';
import type { ApiKey, Session } from '../api-key.ts';
import {
  API_KEY_COLUMNS,
  apiKeyOf,
  boundedKeyOf,
  CREATED_COUNT,
  NEW_KEY_COLUMNS,
  newKeyValues,
  SELECT_BOUNDED,
} from '../api-key-columns.ts';
import {
  type ApiKeyStore,
  FIRST_API_KEY_PLACE,
  FIRST_SESSION_PLACE,
  KEY_ENDS_PAGE,
  KEY_ENDS_WINDOW_MS,
  KEY_USES_DIFFER_MS,
  type KeyEnd,
  SESSIONS_AT_ONCE,
  type SessionsEnd,
} from '../api-key-store.ts';

const LAST_END_MS =
  '(SELECT coalesce(max(end_recorded_at_ms), 0) FROM api_keys WHERE end_recorded_at_ms IS NOT NULL)';

/** Runs a statement whose rows are keys. */
function keys(db: DatabaseSync, sql: string, keyOf = apiKeyOf): (...values: (string | number)[]) => ApiKey[] {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return (...values) => (statement.all(...values) as unknown as ColumnValue[][]).map((row) => keyOf(row));
}

/** The reads of ApiKeyStore. */
export function apiKeyReader(db: DatabaseSync): Omit<Synchronous<ApiKeyStore>, keyof ApiKeyWriter> {
  const find = keys(db, `${SELECT_BOUNDED} WHERE k.hash = ?`, boundedKeyOf);
  const retrieve = keys(db, `${SELECT_BOUNDED} WHERE k.id = ?`, boundedKeyOf);
  const list = keys(
    db,
    `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE kind = 'key' AND (account, created_at_ms, id) > (?, ?, ?) ORDER BY account, created_at_ms, id LIMIT ?`,
  );
  const listOfAccount = keys(
    db,
    `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE account = ? AND kind = 'key' AND (created_at_ms, id) > (?, ?) ORDER BY created_at_ms, id LIMIT ?`,
  );
  const listedSessions = (condition: string) =>
    keys(
      db,
      `${SELECT_BOUNDED} WHERE k.kind = 'session' AND ${condition} AND (k.created_at_ms, k.id) < (?, ?)
       ORDER BY k.created_at_ms DESC, k.id DESC LIMIT ?`,
      boundedKeyOf,
    );
  const sessions = listedSessions('k.account = ?');
  const sessionsOfPerson = listedSessions('k.account = ? AND k.person = ?');
  const sessionsOfPersonAnywhere = listedSessions('k.person = ?');
  const ends = db.prepare(
    `SELECT id, revoked_at_ms AS revokedAtMs, expires_at_ms AS expiresAtMs, end_recorded_at_ms AS recordedAtMs FROM api_keys
     WHERE end_recorded_at_ms >= coalesce(?, min(${DATABASE_NOW_MS} - ${KEY_ENDS_WINDOW_MS}, ${LAST_END_MS}))
     ORDER BY end_recorded_at_ms LIMIT ${KEY_ENDS_PAGE}`,
  );

  return {
    findApiKey: (hash) => find(hash)[0],
    retrieveApiKey: (id) => retrieve(id)[0],
    listApiKeys: (account, after, limit) => {
      const { account: afterAccount, createdAtMs, id } = after ?? FIRST_API_KEY_PLACE;
      return account === null
        ? list(afterAccount, createdAtMs, id, limit)
        : listOfAccount(account, createdAtMs, id, limit);
    },
    listSessions: ({ account, person }, after, limit) => {
      const { createdAtMs, id } = after ?? FIRST_SESSION_PLACE;
      const place = [createdAtMs, id, limit] as const;
      if (account === null) return sessionsOfPersonAnywhere(person, ...place) as Session[];
      const listed =
        person === null ? sessions(account, ...place) : sessionsOfPerson(account, person, ...place);
      return listed as Session[];
    },
    listKeyEnds: (fromRecordedAtMs) => ends.all(fromRecordedAtMs) as unknown as KeyEnd[],
  };
}

/** The next time of an end: later than all there are, also if the clock was set back or is not finer. */
const NEXT_END_MS = `max(${DATABASE_NOW_MS}, ${LAST_END_MS} + 1)`;

/** The writes of ApiKeyStore, each inside the caller's transaction of the database. */
export type ApiKeyWriter = Synchronous<
  ApiKeyStore,
  | 'createApiKey'
  | 'revokeApiKey'
  | 'rollApiKey'
  | 'openSession'
  | 'endSessions'
  | 'removeExpiredSessions'
  | 'touchApiKeys'
>;

/** The ids of the sessions that an end is about, and that have not ended. */
function unendedSessions(db: DatabaseSync): (end: SessionsEnd) => string[] {
  const unended = (index: string, which: string, limit = '') =>
    db.prepare(
      `SELECT id FROM api_keys ${index} WHERE kind = 'session' AND account = ?1 AND ${which} revoked_at_ms IS NULL ${limit}`,
    );
  const unendedOfId = unended('', 'id = ?2 AND');
  const unendedOfPerson = unended('INDEXED BY sessions_by_person', 'person = ?2 AND');
  const unendedOfEveryAccount = db.prepare(
    `SELECT id FROM api_keys INDEXED BY sessions_by_expiry WHERE kind = 'session' AND expires_at_ms > 0 AND revoked_at_ms IS NULL LIMIT ${SESSIONS_AT_ONCE}`,
  );
  const unendedOfAll = unended('INDEXED BY sessions_by_time', '', `LIMIT ${SESSIONS_AT_ONCE}`);
  return ({ account, person, id }) => {
    const list = () => {
      if (account === null) return unendedOfEveryAccount.all();
      if (id !== null) return unendedOfId.all(account, id);
      if (person !== null) return unendedOfPerson.all(account, person);
      return unendedOfAll.all(account);
    };
    return list().map((session) => session['id'] as string);
  };
}

export function apiKeyWriter(db: DatabaseSync): ApiKeyWriter {
  const insert = db.prepare(
    `INSERT INTO api_keys (${NEW_KEY_COLUMNS}) VALUES (${Array(CREATED_COUNT).fill('?').join(', ')})`,
  );
  const isRevoked = db.prepare('SELECT 1 FROM api_keys WHERE id = ? AND revoked_at_ms IS NOT NULL');
  const revoke = keys(
    db,
    `UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?),
       end_recorded_at_ms = iif(revoked_at_ms IS NULL, ${NEXT_END_MS}, end_recorded_at_ms)
     WHERE id = ? RETURNING ${API_KEY_COLUMNS}`,
  );
  // On the right, columns have the values from before.
  const roll = keys(
    db,
    `UPDATE api_keys SET rolled_at_ms = coalesce(rolled_at_ms, ?1), end_recorded_at_ms = ${NEXT_END_MS},
       expires_before_roll_ms = CASE WHEN rolled_at_ms IS NULL THEN expires_at_ms ELSE expires_before_roll_ms END,
       expires_at_ms = min(coalesce(expires_at_ms, ?2), ?2), revoked_at_ms = iif(?2 <= ?1, ?1, NULL)
     WHERE account = ?3 AND id = ?4 AND revoked_at_ms IS NULL
     RETURNING ${API_KEY_COLUMNS}`,
  );
  const open = db.prepare(
    `UPDATE api_keys SET hash = ?1, key_start = ?2, opened_at_ms = ?3
     WHERE hash = ?4 AND kind = 'session' AND opened_at_ms IS NULL AND code_expires_at_ms > ?3 AND revoked_at_ms IS NULL AND expires_at_ms > ?3`,
  );
  const listUnended = unendedSessions(db);
  const removeExpired = db.prepare(
    `DELETE FROM api_keys WHERE (account, id) IN
       (SELECT account, id FROM api_keys WHERE kind = 'session' AND expires_at_ms < ? ORDER BY expires_at_ms LIMIT ${SESSIONS_AT_ONCE})`,
  );
  const touch = db.prepare(
    `UPDATE api_keys SET last_used_at_ms = iif(last_used_at_ms BETWEEN ?1 AND ?1 + ${KEY_USES_DIFFER_MS}, last_used_at_ms, ?1)
     WHERE account = ?2 AND id = ?3`,
  );
  const audit = auditWriter(db, 'key_audit');
  const insertKey = (key: ApiKey) => insert.run(...newKeyValues(key));

  return {
    createApiKey: (key, entry) => {
      insertKey(key);
      audit(entry);
    },
    revokeApiKey: (id, nowMs, entry) => {
      const wasRevoked = isRevoked.get(id) !== undefined;
      const [revoked] = revoke(nowMs, id);
      if (revoked !== undefined && !wasRevoked) audit(entry);
      return revoked;
    },
    rollApiKey: ({ account, id, created, untilMs, nowMs }, entry) => {
      const [rolled] = roll(nowMs, untilMs, account, id);
      if (rolled === undefined) return undefined;
      if (created !== null) insertKey(created);
      audit(entry);
      return rolled;
    },
    openSession: ({ codeHash, hash, keyStart, nowMs }, entry) => {
      const isOpened = open.run(hash, keyStart, nowMs, codeHash).changes > 0;
      if (isOpened) audit(entry);
      return isOpened;
    },
    endSessions: (end, entry) => {
      const ids = listUnended(end);
      for (const id of ids) revoke(end.nowMs, id);
      if (ids.length > 0) audit(entry);
      return ids;
    },
    removeExpiredSessions: (beforeMs) => Number(removeExpired.run(beforeMs).changes),
    touchApiKeys: (uses) => {
      for (const { account, id, usedAtMs } of uses) touch.run(usedAtMs, account, id);
    },
  };
}
