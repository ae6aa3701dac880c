import pg from 'pg';
import type { AuditEntry } from '../../audit/audit.ts';
import { AUDIT_COLUMNS, auditRowOf } from '../../audit/audit-columns.ts';
import { insertAuditSql } from '../../audit/postgres/audit.ts';
import { DATABASE_NOW_MS } from '../../db/postgres/database-clock.ts';
import { type Connections, statement } from '../../db/postgres/driver/index.ts';
import type { ColumnValue } from '../../ledger/transaction-columns.ts';
import type { Session } from '../api-key.ts';
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
  type KeyRoll,
  SESSIONS_AT_ONCE,
  type SessionsEnd,
} from '../api-key-store.ts';

type Row = ColumnValue[];

type EndRow = [id: string, revokedAtMs: number | null, expiresAtMs: number | null, recordedAtMs: number];

const endOf = ([id, revokedAtMs, expiresAtMs, recordedAtMs]: EndRow): KeyEnd => ({
  id,
  revokedAtMs,
  expiresAtMs,
  recordedAtMs,
});

const WINDOW_START = `${DATABASE_NOW_MS.replace('clock_timestamp', 'statement_timestamp')} - ${KEY_ENDS_WINDOW_MS}`;

const placeholders = (count: number) => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');

/** One statement, so that it is one transaction of the database. */
const INSERT = statement(
  `WITH created AS (INSERT INTO api_keys (${NEW_KEY_COLUMNS}) VALUES (${placeholders(CREATED_COUNT)}) RETURNING id)
${insertAuditSql('key_audit', CREATED_COUNT + 1, 'FROM created')}`,
);
const FIND = statement(`${SELECT_BOUNDED} WHERE k.hash = $1`);
const RETRIEVE = statement(`${SELECT_BOUNDED} WHERE k.id = $1`);
const LIST = statement(
  `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE kind = 'key' AND (account, created_at_ms, id) > ($1, $2, $3) ORDER BY account, created_at_ms, id LIMIT $4`,
);
const LIST_OF_ACCOUNT = statement(
  `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE account = $1 AND kind = 'key' AND (created_at_ms, id) > ($2, $3) ORDER BY created_at_ms, id LIMIT $4`,
);
const LIST_SESSIONS = statement(
  `${SELECT_BOUNDED} WHERE k.kind = 'session' AND k.account = $1 AND (k.created_at_ms, k.id) < ($2, $3)
    ORDER BY k.created_at_ms DESC, k.id DESC LIMIT $4`,
);
const LIST_SESSIONS_OF_PERSON = statement(
  `${SELECT_BOUNDED} WHERE k.kind = 'session' AND k.account = $1 AND k.person = $5 AND (k.created_at_ms, k.id) < ($2, $3)
    ORDER BY k.created_at_ms DESC, k.id DESC LIMIT $4`,
);
const LIST_SESSIONS_ANYWHERE = statement(
  `${SELECT_BOUNDED} WHERE k.kind = 'session' AND k.person = $1 AND (k.created_at_ms, k.id) < ($2, $3)
    ORDER BY k.created_at_ms DESC, k.id DESC LIMIT $4`,
);
/** The second of two at the same time waits for the row of the first, and then finds no row with the code. */
const OPEN_SESSION = statement(
  `WITH opened AS (UPDATE api_keys SET hash = $1, key_start = $2, opened_at_ms = $3
      WHERE hash = $4 AND kind = 'session' AND opened_at_ms IS NULL AND code_expires_at_ms > $3 AND revoked_at_ms IS NULL AND expires_at_ms > $3
      RETURNING id),
    noted AS (${insertAuditSql('key_audit', 5, 'FROM opened')})
SELECT id FROM opened`,
);
const REMOVE_EXPIRED_SESSIONS = statement(
  `DELETE FROM api_keys WHERE id IN
      (SELECT id FROM api_keys WHERE kind = 'session' AND expires_at_ms < $1 ORDER BY expires_at_ms LIMIT ${SESSIONS_AT_ONCE})
    RETURNING id`,
);
/** A separate statement, because Citus allows no function of time in an UPDATE. */
const NOW = statement(`SELECT ${DATABASE_NOW_MS}`);
const ENDS = statement(`SELECT id, revoked_at_ms, expires_at_ms, end_recorded_at_ms FROM api_keys
    WHERE end_recorded_at_ms >= coalesce($1, least(${WINDOW_START}, (SELECT max(end_recorded_at_ms) FROM api_keys))) ORDER BY end_recorded_at_ms LIMIT ${KEY_ENDS_PAGE}`);
const TOUCH = statement(`UPDATE api_keys SET last_used_at_ms =
      CASE WHEN last_used_at_ms BETWEEN used_at_ms AND used_at_ms + ${KEY_USES_DIFFER_MS} THEN last_used_at_ms ELSE used_at_ms END
    FROM unnest($1::text[], $2::bigint[]) AS uses (used_id, used_at_ms) WHERE id = used_id`);

const literal = (value: string | number | null) => {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(value);
};

/** The turns of what ends keys among the slow statements: no account has this name. */
const ENDS_OF_KEYS = '*key-ends';

/** A number of its own, so that no other program's lock is waited for. */
const ENDING = 0x7478776b;
/**
 * Writers of ends take turns, from before the time of an end is chosen until it is visible: no end comes before one that was
 * read.
 */
const LOCK_ENDS = `SELECT pg_advisory_xact_lock(${ENDING}, 0)`;
/** Later than all there are, also if the clock was set back or is not finer. */
const nextEndMs = (databaseNowMs: number) =>
  `greatest(${databaseNowMs}, (SELECT max(end_recorded_at_ms) + 1 FROM api_keys))`;

/** Writes an entry if a key fulfils a condition: before the change of the key, which then fulfils it too. */
const auditIf = (entry: AuditEntry, condition: string) =>
  `INSERT INTO key_audit (${AUDIT_COLUMNS.join(', ')}) SELECT ${auditRowOf(entry).map(literal).join(', ')} FROM api_keys WHERE ${condition}`;

const revokeScript = (id: string, nowMs: number, entry: AuditEntry, databaseNowMs: number) => `${LOCK_ENDS};
${auditIf(entry, `id = ${literal(id)} AND revoked_at_ms IS NULL`)};
UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ${nowMs}),
    end_recorded_at_ms = CASE WHEN revoked_at_ms IS NULL THEN ${nextEndMs(databaseNowMs)} ELSE end_recorded_at_ms END
    WHERE id = ${literal(id)} RETURNING ${API_KEY_COLUMNS}`;

/** Locks the old key before the new one is made: nobody else rolls or revokes it before the end of the transaction. */
function rollScript(
  { account, id, created, untilMs, nowMs }: KeyRoll,
  entry: AuditEntry,
  databaseNowMs: number,
): string {
  const isOld = `account = ${literal(account)} AND id = ${literal(id)}`;
  const isUnrevoked = `${isOld} AND revoked_at_ms IS NULL`;
  const insertCreated =
    created === null
      ? ''
      : `INSERT INTO api_keys (${NEW_KEY_COLUMNS}) SELECT ${newKeyValues(created).map(literal).join(', ')} FROM api_keys WHERE ${isUnrevoked};\n`;
  return `${LOCK_ENDS};
SELECT id FROM api_keys WHERE ${isOld} FOR UPDATE;
${insertCreated}${auditIf(entry, isUnrevoked)};
UPDATE api_keys SET rolled_at_ms = coalesce(rolled_at_ms, ${nowMs}), end_recorded_at_ms = ${nextEndMs(databaseNowMs)},
    expires_before_roll_ms = CASE WHEN rolled_at_ms IS NULL THEN expires_at_ms ELSE expires_before_roll_ms END,
    expires_at_ms = least(expires_at_ms, ${untilMs})${untilMs <= nowMs ? `, revoked_at_ms = ${nowMs}` : ''}
    WHERE ${isUnrevoked} RETURNING ${API_KEY_COLUMNS}`;
}

/**
 * Each end has a time of its own, by which the ends are read in pages. Rows are locked in the order of touchApiKeys, which is made after the
 * sessions were found by an index and cut to a step: a plan in this order would read the whole table.
 */
function endSessionsScript(
  { account, person, id, nowMs }: SessionsEnd,
  entry: AuditEntry,
  databaseNowMs: number,
): string {
  const conditions = [
    "kind = 'session' AND revoked_at_ms IS NULL",
    ...(account === null ? [] : [`account = ${literal(account)}`]),
    ...(person === null ? [] : [`person = ${literal(person)}`]),
    ...(id === null ? [] : [`id = ${literal(id)}`]),
  ];
  const hasEnded = conditions.join(' AND ');
  const limit = person === null && id === null ? ` LIMIT ${SESSIONS_AT_ONCE}` : '';
  return `${LOCK_ENDS};
${auditIf(entry, `${hasEnded} LIMIT 1`)};
WITH unended AS MATERIALIZED (SELECT id FROM api_keys WHERE ${hasEnded}${limit})
UPDATE api_keys SET revoked_at_ms = ${nowMs}, end_recorded_at_ms = ${nextEndMs(databaseNowMs)} + ended.place
    FROM (SELECT id AS ended_id, row_number() OVER (ORDER BY id) AS place FROM unended) AS ended
    WHERE id = ended.ended_id RETURNING id`;
}

export function apiKeyStore(connections: Connections): ApiKeyStore {
  const databaseNowMs = async () => {
    const [now] = await connections.query<[databaseNowMs: number]>(NOW, []);
    return now?.[0] as number;
  };
  return {
    createApiKey: async (key, entry) => {
      await connections.query(INSERT, [...newKeyValues(key), ...auditRowOf(entry)]);
    },
    findApiKey: async (hash) => {
      const [row] = await connections.lookUp<Row>(FIND, [hash]);
      return row && boundedKeyOf(row);
    },
    retrieveApiKey: async (id) => {
      const [row] = await connections.query<Row>(RETRIEVE, [id]);
      return row && boundedKeyOf(row);
    },
    listApiKeys: async (account, after, limit) => {
      const { account: afterAccount, createdAtMs, id } = after ?? FIRST_API_KEY_PLACE;
      const listed =
        account === null
          ? connections.query<Row>(LIST, [afterAccount, createdAtMs, id, limit])
          : connections.query<Row>(LIST_OF_ACCOUNT, [account, createdAtMs, id, limit]);
      return (await listed).map(apiKeyOf);
    },
    revokeApiKey: async (id, nowMs, entry) => {
      const script = revokeScript(id, nowMs, entry, await databaseNowMs());
      const [row] = (await connections.script(script, ENDS_OF_KEYS)).at(-1) as unknown as Row[];
      return row && apiKeyOf(row);
    },
    rollApiKey: async (roll, entry) => {
      const script = rollScript(roll, entry, await databaseNowMs());
      const [row] = (await connections.script(script, ENDS_OF_KEYS)).at(-1) as unknown as Row[];
      return row && apiKeyOf(row);
    },
    openSession: async ({ codeHash, hash, keyStart, nowMs }, entry) => {
      const values = [hash, keyStart, nowMs, codeHash, ...auditRowOf(entry)];
      return (await connections.query(OPEN_SESSION, values)).length > 0;
    },
    listSessions: async ({ account, person }, after, limit) => {
      const { createdAtMs, id } = after ?? FIRST_SESSION_PLACE;
      const place = [createdAtMs, id, limit];
      const listed =
        account === null
          ? connections.query<Row>(LIST_SESSIONS_ANYWHERE, [person, ...place])
          : person === null
            ? connections.query<Row>(LIST_SESSIONS, [account, ...place])
            : connections.query<Row>(LIST_SESSIONS_OF_PERSON, [account, ...place, person]);
      return (await listed).map(boundedKeyOf) as Session[];
    },
    endSessions: async (end, entry) => {
      const script = endSessionsScript(end, entry, await databaseNowMs());
      const ended = (await connections.script(script, ENDS_OF_KEYS)).at(-1) as unknown as [id: string][];
      return ended.map(([id]) => id);
    },
    removeExpiredSessions: async (beforeMs) =>
      (await connections.query(REMOVE_EXPIRED_SESSIONS, [beforeMs])).length,
    listKeyEnds: async (fromRecordedAtMs) =>
      (await connections.query<EndRow>(ENDS, [fromRecordedAtMs])).map(endOf),
    touchApiKeys: async (uses) => {
      // In one order: two services that lock the same rows never wait for each other.
      const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      await connections.query(TOUCH, [ordered.map(({ id }) => id), ordered.map(({ usedAtMs }) => usedAtMs)]);
    },
  };
}
