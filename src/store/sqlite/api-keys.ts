import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../../core/access/api-key.ts';
import { type ApiKeyUse, REVOCATION_WINDOW_MS } from '../../core/store.ts';

const COLUMNS = `id, account, hash, label, created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs,
  revoked_at_ms AS revokedAtMs, last_used_at_ms AS lastUsedAtMs`;

const DATABASE_NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

/** The reads of ApiKeyStore. */
export interface ApiKeyReader {
  findApiKey(hash: string): ApiKey | undefined;
  listApiKeys(account: string | null): ApiKey[];
  listRecentlyRevoked(): string[];
}

export function apiKeyReader(db: DatabaseSync): ApiKeyReader {
  const find = db.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE hash = ?`);
  const list = db.prepare(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at_ms, id`);
  const listOfAccount = db.prepare(
    `SELECT ${COLUMNS} FROM api_keys WHERE account = ? ORDER BY created_at_ms, id`,
  );
  const recentlyRevoked = db.prepare(
    `SELECT id FROM api_keys WHERE revocation_recorded_at_ms > ${DATABASE_NOW_MS} - ?`,
  );

  return {
    findApiKey: (hash) => find.get(hash) as ApiKey | undefined,
    listApiKeys: (account) =>
      (account === null ? list.all() : listOfAccount.all(account)) as unknown as ApiKey[],
    listRecentlyRevoked: () => recentlyRevoked.all(REVOCATION_WINDOW_MS).map((row) => row['id'] as string),
  };
}

/** The writes of ApiKeyStore, each inside the caller's transaction of the database. */
export interface ApiKeyWriter {
  createApiKey(key: ApiKey): void;
  revokeApiKey(id: string, nowMs: number): ApiKey | undefined;
  touchApiKeys(uses: readonly ApiKeyUse[]): void;
}

export function apiKeyWriter(db: DatabaseSync): ApiKeyWriter {
  const insert = db.prepare(
    'INSERT INTO api_keys (account, id, hash, label, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const revoke = db.prepare(
    `UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?),
       revocation_recorded_at_ms = coalesce(revocation_recorded_at_ms, ${DATABASE_NOW_MS})
     WHERE id = ? RETURNING ${COLUMNS}`,
  );
  const touch = db.prepare(
    'UPDATE api_keys SET last_used_at_ms = max(coalesce(last_used_at_ms, ?1), ?1) WHERE account = ?2 AND id = ?3',
  );

  return {
    createApiKey: ({ account, id, hash, label, createdAtMs, expiresAtMs }) => {
      insert.run(account, id, hash, label, createdAtMs, expiresAtMs);
    },
    revokeApiKey: (id, nowMs) => revoke.get(nowMs, id) as ApiKey | undefined,
    touchApiKeys: (uses) => {
      for (const { account, id, usedAtMs } of uses) touch.run(usedAtMs, account, id);
    },
  };
}
