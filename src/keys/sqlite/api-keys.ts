import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../../audit/audit.ts';
import { auditWriter } from '../../audit/sqlite/audit.ts';
import { DATABASE_NOW_MS } from '../../db/sqlite/database-clock.ts';
import { type ApiKey, kindOfAccount } from '../api-key.ts';
import {
  type ApiKeyPlace,
  type ApiKeyUse,
  FIRST_API_KEY_PLACE,
  KEY_ENDS_PAGE,
  KEY_ENDS_WINDOW_MS,
  type KeyEnd,
  type KeyRoll,
} from '../api-key-store.ts';
import { scopesOfStored, storedScopes } from '../scopes.ts';

const COLUMNS = `id, account, hash, key_start AS keyStart, label, scopes, account_prefix AS accountPrefix, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs, revoked_at_ms AS revokedAtMs, rolled_at_ms AS rolledAtMs,
  expires_before_roll_ms AS expiresBeforeRollMs, last_used_at_ms AS lastUsedAtMs`;

interface Row extends Omit<ApiKey, 'scopes'> {
  scopes: string;
}

function apiKeyOf(row: unknown): ApiKey {
  const { scopes, ...fields } = row as Row;
  return { ...fields, scopes: scopesOfStored(scopes, kindOfAccount(fields.account)) };
}

/** The reads of ApiKeyStore. */
interface ApiKeyReader {
  findApiKey(hash: string): ApiKey | undefined;
  retrieveApiKey(id: string): ApiKey | undefined;
  listApiKeys(account: string | null, after: ApiKeyPlace | null, limit: number): ApiKey[];
  listKeyEnds(afterRecordedAtMs: number | null): KeyEnd[];
}

export function apiKeyReader(db: DatabaseSync): ApiKeyReader {
  const find = db.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE hash = ?`);
  const retrieve = db.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?`);
  const list = db.prepare(
    `SELECT ${COLUMNS} FROM api_keys WHERE (account, created_at_ms, id) > (?, ?, ?) ORDER BY account, created_at_ms, id LIMIT ?`,
  );
  const listOfAccount = db.prepare(
    `SELECT ${COLUMNS} FROM api_keys WHERE account = ? AND (created_at_ms, id) > (?, ?) ORDER BY created_at_ms, id LIMIT ?`,
  );
  const ends = db.prepare(
    `SELECT id, revoked_at_ms AS revokedAtMs, expires_at_ms AS expiresAtMs, end_recorded_at_ms AS recordedAtMs FROM api_keys
     WHERE end_recorded_at_ms > coalesce(?, ${DATABASE_NOW_MS} - ${KEY_ENDS_WINDOW_MS})
     ORDER BY end_recorded_at_ms LIMIT ${KEY_ENDS_PAGE}`,
  );

  return {
    findApiKey: (hash) => {
      const row = find.get(hash);
      return row && apiKeyOf(row);
    },
    retrieveApiKey: (id) => {
      const row = retrieve.get(id);
      return row && apiKeyOf(row);
    },
    listApiKeys: (account, after, limit) => {
      const { account: afterAccount, createdAtMs, id } = after ?? FIRST_API_KEY_PLACE;
      const rows =
        account === null
          ? list.all(afterAccount, createdAtMs, id, limit)
          : listOfAccount.all(account, createdAtMs, id, limit);
      return rows.map(apiKeyOf);
    },
    listKeyEnds: (afterRecordedAtMs) => ends.all(afterRecordedAtMs) as unknown as KeyEnd[],
  };
}

/** The next time of an end: later than all before, also if the clock was set back or is not finer. */
const NEXT_END_MS = `max(${DATABASE_NOW_MS}, (SELECT coalesce(max(end_recorded_at_ms), 0) + 1 FROM api_keys))`;

/** The writes of ApiKeyStore, each inside the caller's transaction of the database. */
export interface ApiKeyWriter {
  createApiKey(key: ApiKey, entry: AuditEntry): void;
  revokeApiKey(id: string, nowMs: number, entry: AuditEntry): ApiKey | undefined;
  rollApiKey(roll: KeyRoll, entry: AuditEntry): ApiKey | undefined;
  touchApiKeys(uses: readonly ApiKeyUse[]): void;
}

export function apiKeyWriter(db: DatabaseSync): ApiKeyWriter {
  const insert = db.prepare(
    `INSERT INTO api_keys (account, id, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const isRevoked = db.prepare('SELECT 1 FROM api_keys WHERE id = ? AND revoked_at_ms IS NOT NULL');
  const revoke = db.prepare(
    `UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?),
       end_recorded_at_ms = iif(revoked_at_ms IS NULL, ${NEXT_END_MS}, end_recorded_at_ms)
     WHERE id = ? RETURNING ${COLUMNS}`,
  );
  // On the right, columns have the values from before.
  const roll = db.prepare(
    `UPDATE api_keys SET rolled_at_ms = coalesce(rolled_at_ms, ?1), end_recorded_at_ms = ${NEXT_END_MS},
       expires_before_roll_ms = CASE WHEN rolled_at_ms IS NULL THEN expires_at_ms ELSE expires_before_roll_ms END,
       expires_at_ms = min(coalesce(expires_at_ms, ?2), ?2)
     WHERE account = ?3 AND id = ?4 AND revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?1)
     RETURNING ${COLUMNS}`,
  );
  const touch = db.prepare(
    'UPDATE api_keys SET last_used_at_ms = max(coalesce(last_used_at_ms, ?1), ?1) WHERE account = ?2 AND id = ?3',
  );
  const audit = auditWriter(db, 'key_audit');
  const insertKey = (key: ApiKey) => {
    const { account, id, hash, keyStart, label, accountPrefix, createdAtMs, expiresAtMs } = key;
    const scopes = storedScopes(key.scopes);
    insert.run(account, id, hash, keyStart, label, scopes, accountPrefix, createdAtMs, expiresAtMs);
  };

  return {
    createApiKey: (key, entry) => {
      insertKey(key);
      audit(entry);
    },
    revokeApiKey: (id, nowMs, entry) => {
      const wasRevoked = isRevoked.get(id) !== undefined;
      const row = revoke.get(nowMs, id);
      if (row !== undefined && !wasRevoked) audit(entry);
      return row && apiKeyOf(row);
    },
    rollApiKey: ({ account, id, created, untilMs, nowMs }, entry) => {
      const row = roll.get(nowMs, untilMs, account, id);
      if (row === undefined) return undefined;
      if (created !== null) insertKey(created);
      audit(entry);
      return apiKeyOf(row);
    },
    touchApiKeys: (uses) => {
      for (const { account, id, usedAtMs } of uses) touch.run(usedAtMs, account, id);
    },
  };
}
