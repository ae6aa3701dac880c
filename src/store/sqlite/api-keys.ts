import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../../core/api-key.ts';
import { type ApiKeyStore, REVOCATION_WINDOW_MS } from '../../core/store.ts';
import { asking, inTransaction, withoutWaiting } from './database.ts';

const COLUMNS = `id, account, hash, label, created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs,
  revoked_at_ms AS revokedAtMs, last_used_at_ms AS lastUsedAtMs`;

const DATABASE_NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

export function apiKeyStore(db: DatabaseSync): ApiKeyStore {
  const insert = db.prepare(
    'INSERT INTO api_keys (account, id, hash, label, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const find = db.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE hash = ?`);
  const list = db.prepare(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at_ms, id`);
  const listOfAccount = db.prepare(
    `SELECT ${COLUMNS} FROM api_keys WHERE account = ? ORDER BY created_at_ms, id`,
  );
  const revoke = db.prepare(
    `UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?),
       revocation_recorded_at_ms = coalesce(revocation_recorded_at_ms, ${DATABASE_NOW_MS})
     WHERE id = ? RETURNING ${COLUMNS}`,
  );
  const recentlyRevoked = db.prepare(
    `SELECT id FROM api_keys WHERE revocation_recorded_at_ms > ${DATABASE_NOW_MS} - ?`,
  );
  const touch = db.prepare(
    'UPDATE api_keys SET last_used_at_ms = max(coalesce(last_used_at_ms, ?1), ?1) WHERE account = ?2 AND id = ?3',
  );

  return {
    createApiKey: async ({ account, id, hash, label, createdAtMs, expiresAtMs }) => {
      asking(() => insert.run(account, id, hash, label, createdAtMs, expiresAtMs));
    },
    findApiKey: async (hash) => asking(() => find.get(hash)) as ApiKey | undefined,
    listApiKeys: async (account) =>
      asking(() => (account === null ? list.all() : listOfAccount.all(account))) as unknown as ApiKey[],
    revokeApiKey: async (id, nowMs) => asking(() => revoke.get(nowMs, id)) as ApiKey | undefined,
    listRecentlyRevoked: async () =>
      asking(() => recentlyRevoked.all(REVOCATION_WINDOW_MS)).map((row) => row['id'] as string),
    touchApiKeys: async (uses) => {
      asking(() =>
        withoutWaiting(db, () =>
          inTransaction(db, () => {
            for (const { account, id, usedAtMs } of uses) touch.run(usedAtMs, account, id);
          }),
        ),
      );
    },
  };
}
