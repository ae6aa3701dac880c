import type { ApiKey } from '../../core/access/api-key.ts';
import { type ApiKeyStore, REVOCATION_WINDOW_MS } from '../../core/store.ts';
import { type Connections, statement } from './driver/index.ts';

const COLUMNS =
  'id, account, hash, label, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms' as const;

type Row = [
  id: string,
  account: string,
  hash: string,
  label: string | null,
  createdAtMs: number,
  expiresAtMs: number | null,
  revokedAtMs: number | null,
  lastUsedAtMs: number | null,
];

const apiKeyOf = (row: Row): ApiKey => ({
  id: row[0],
  account: row[1],
  hash: row[2],
  label: row[3],
  createdAtMs: row[4],
  expiresAtMs: row[5],
  revokedAtMs: row[6],
  lastUsedAtMs: row[7],
});

const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const INSERT = statement(
  'INSERT INTO api_keys (id, account, hash, label, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4, $5, $6)',
);
const FIND = statement(`SELECT ${COLUMNS} FROM api_keys WHERE hash = $1`);
const LIST = statement(
  `SELECT ${COLUMNS} FROM api_keys WHERE account = $1 OR $1 IS NULL ORDER BY created_at_ms, id`,
);
/** A separate statement, because Citus allows no function of time in an UPDATE. */
const NOW = statement(`SELECT ${DATABASE_NOW_MS}`);
const REVOKE = statement(`UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, $1),
    revocation_recorded_at_ms = coalesce(revocation_recorded_at_ms, $2)
    WHERE id = $3 RETURNING ${COLUMNS}`);
const RECENTLY_REVOKED = statement(
  `SELECT id FROM api_keys WHERE revocation_recorded_at_ms > ${DATABASE_NOW_MS.replace('clock_timestamp', 'statement_timestamp')} - $1`,
);
const TOUCH = statement(`UPDATE api_keys SET last_used_at_ms = greatest(last_used_at_ms, used_at_ms)
    FROM unnest($1::text[], $2::bigint[]) AS uses (used_id, used_at_ms) WHERE id = used_id`);

export function apiKeyStore(connections: Connections): ApiKeyStore {
  return {
    createApiKey: async ({ id, account, hash, label, createdAtMs, expiresAtMs }) => {
      await connections.query(INSERT, [id, account, hash, label, createdAtMs, expiresAtMs]);
    },
    findApiKey: async (hash) => {
      const [row] = await connections.query<Row>(FIND, [hash]);
      return row && apiKeyOf(row);
    },
    listApiKeys: async (account) => (await connections.query<Row>(LIST, [account])).map(apiKeyOf),
    revokeApiKey: async (id, nowMs) => {
      const [now] = await connections.query<[databaseNowMs: number]>(NOW, []);
      const [row] = await connections.query<Row>(REVOKE, [nowMs, now?.[0], id]);
      return row && apiKeyOf(row);
    },
    listRecentlyRevoked: async () => {
      const rows = await connections.query<[string]>(RECENTLY_REVOKED, [REVOCATION_WINDOW_MS]);
      return rows.map(([id]) => id);
    },
    touchApiKeys: async (uses) => {
      // In one order: two services that lock the same rows never wait for each other.
      const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      await connections.query(TOUCH, [ordered.map(({ id }) => id), ordered.map(({ usedAtMs }) => usedAtMs)]);
    },
  };
}
