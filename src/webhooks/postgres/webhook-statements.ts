import pg from 'pg';
import { insertAuditSql } from '../../audit/postgres/audit.ts';
import { DATABASE_NOW_MS } from '../../db/postgres/database-clock.ts';
import { arrayText, type RowReader, readStatement } from '../../db/postgres/driver/index.ts';
import { shardOf } from '../../db/postgres/read-worker.ts';
import type { Topology } from '../../db/postgres/topology.ts';
import { selectOfAccount } from '../../db/postgres/topology.ts';
import { nonceSql } from '../../ledger/changes/postgres/list-changes.ts';
import { objectOfReads } from '../../values/row-functions.ts';
import type { DeliverablePart, ListedWebhook, WebhookFailure } from '../webhook.ts';
import {
  endpointOf,
  FAILURE_COLUMNS,
  FAILURE_READS,
  READ_LEASE_SQL,
  REPLACED_COLUMNS,
  takeLeaseSql,
  WEBHOOK_COLUMNS,
  WEBHOOK_READS,
} from '../webhook-columns.ts';

const readEndpoint = objectOfReads<RowReader, Parameters<typeof endpointOf>[0]>(WEBHOOK_READS);

export const readListed = (row: RowReader): ListedWebhook => ({
  ...endpointOf(readEndpoint(row)),
  failureCount: row.integer(),
});

export const readFailure = objectOfReads<RowReader, WebhookFailure>(FAILURE_READS);

const foundColumns = (columns: readonly string[]) => columns.map((column) => `found.${column}`).join(', ');

/**
 * The endpoints of the account $1, each with the number of its failures. `OFFSET 0` keeps the subquery apart: otherwise a plan of an
 * empty table looks an endpoint up by its id in the whole index.
 */
export const listWebhooksSql = (topology: Topology, condition = 'true') =>
  selectOfAccount(
    topology,
    foundColumns([...WEBHOOK_COLUMNS, 'failure_count']),
    (account) => `SELECT ${WEBHOOK_COLUMNS.join(', ')},
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = ${account} AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = ${account} AND ${condition} OFFSET 0`,
  );

export const findWebhookSql = (topology: Topology) => listWebhooksSql(topology, 'e.id = $2');

/** The first failures of the endpoint $2 of the account $1 after the number $3, at most $4. */
export const listFailuresSql = (topology: Topology) =>
  selectOfAccount(
    topology,
    foundColumns(FAILURE_COLUMNS),
    (account) => `SELECT ${FAILURE_COLUMNS.join(', ')} FROM webhook_failures
WHERE account = ${account} AND endpoint_id = $2 AND sequence > $3 ORDER BY sequence LIMIT $4`,
  );

const deliverableColumns = (failures: string, isWatched: string) => `${WEBHOOK_COLUMNS.join(', ')},
  (SELECT f.sequence FROM ${failures} AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), ${isWatched}`;
const deliverableRows = (endpoints: string, part: DeliverablePart) =>
  `FROM ${endpoints} AS e WHERE ${isOfPart(part)} AND e.disabled_at_ms IS NULL`;
const isOfPart = (part: DeliverablePart) =>
  'accounts' in part
    ? `e.account = ANY (${pg.escapeLiteral(arrayText(part.accounts))}::text[])`
    : `(e.account, e.id) > (${pg.escapeLiteral(part.after?.account ?? '')}, ${pg.escapeLiteral(part.after?.id ?? '')})`;
const inOrder = (part: DeliverablePart) =>
  'accounts' in part ? '' : ` ORDER BY account, id LIMIT ${part.limit}`;
/** On a cluster, all accounts count as watched: nobody has to watch them. */
const WATCHED_ON_CLUSTER = '1';
/** Whether the account is watched. A plan for EXISTS could read all accounts. */
const IS_WATCHED = 'coalesce((SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account), 0)';

/** Lists what one worker of a cluster has of a part, for `readWorker`. */
export const deliverableOfWorker = (part: DeliverablePart) => ({
  tables: ['webhook_endpoints', 'webhook_failures'],
  select: `SELECT json_build_array(${deliverableColumns(shardOf(1), WATCHED_ON_CLUSTER)}), e.account, e.id ${deliverableRows(shardOf(0), part)}`,
  columns: 'values, account, id',
  order: inOrder(part),
});

/**
 * Lists the enabled endpoints of a part, each with its first failure. It first says to the policies of the tables that it delivers. The values
 * are part of the text, because Citus has no plan with parameters of a statement that reads every shard.
 */
export function listDeliverableSql(topology: Topology, part: DeliverablePart): string {
  const isWatched = topology === 'cluster' ? WATCHED_ON_CLUSTER : IS_WATCHED;
  const list = `SELECT ${deliverableColumns('webhook_failures', isWatched)}
${deliverableRows('webhook_endpoints', part)}${inOrder(part)}`;
  return topology === 'cluster' ? list : `SELECT set_config('transactions.delivering', 'on', true);\n${list}`;
}

/** Instances take turns at the row, and the clock is read behind its lock. The table is not distributed, so Citus allows it. */
export const TAKE_LEASE = readStatement(takeLeaseSql(DATABASE_NOW_MS), () => undefined);
export const READ_LEASE = readStatement(READ_LEASE_SQL, (row) => ({
  instance: row.text(),
  rules: row.text(),
}));

const parameters = (columns: readonly string[], first: number) =>
  columns.map((_, index) => `$${first + index}`);

/** A number of its own, so that no other program's lock is waited for. */
const CREATING = 0x74787765;

/** Two callers that create endpoints of one account take turns: each counts those of the other. */
export const LOCK_ACCOUNT = readStatement(`SELECT pg_advisory_xact_lock(${CREATING}, hashtext($1))`, (row) =>
  row.text(),
);

/** A revocation waits until the endpoint is visible to the erasure behind it. */
export const LOCK_KEY = readStatement('SELECT id FROM api_keys WHERE id = $1 FOR SHARE', (row) => row.text());

const [LIMIT, KEY] = parameters(['limit', 'key'], WEBHOOK_COLUMNS.length + 1);
const createSql = (condition = '') => `INSERT INTO webhook_endpoints (${WEBHOOK_COLUMNS.join(', ')})
SELECT ${parameters(WEBHOOK_COLUMNS, 1).join(', ')} FROM (SELECT count(*) AS stored FROM webhook_endpoints WHERE account = $1) AS own
WHERE stored < ${LIMIT}${condition} ON CONFLICT (account, id) DO NOTHING RETURNING version`;
export const CREATE = readStatement(createSql(), (row) => row.integer());
/** Creates an endpoint with a key, unless it was revoked. */
export const CREATE_WITH_KEY = readStatement(
  createSql(` AND EXISTS (SELECT 1 FROM api_keys WHERE id = ${KEY} AND revoked_at_ms IS NULL)`),
  (row) => row.integer(),
);

/*
 * Each write of an endpoint and its failures first locks the row of the endpoint, so that the row is the same in all its statements. Each
 * statement names the account as a value: Citus sends them to one shard.
 */
export const LOCK = readStatement(
  'SELECT version FROM webhook_endpoints WHERE account = $1 AND id = $2 FOR NO KEY UPDATE',
  (row) => row.integer(),
);

const nothing = () => undefined;

/** Writes the entry after $1 to $3, if the endpoint $2 of the account $1 has the version $3: before what then changes the endpoint. */
export const AUDIT_CHANGE = readStatement(
  insertAuditSql(
    'account_audit',
    4,
    'FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.version = $3',
  ),
  nothing,
);
/** The endpoint $2 of the account $1, if it has the secret $3: it was not there before. */
const WITH_SECRET = 'FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.secret = $3';
export const AUDIT_CREATED = readStatement(insertAuditSql('account_audit', 4, WITH_SECRET), nothing);
export const LOCK_CREATED = readStatement(`SELECT e.version ${WITH_SECRET} FOR NO KEY UPDATE`, (row) =>
  row.integer(),
);
/** Writes the audit entry of an endpoint of any version, before it is deleted. */
export const AUDIT_ENDPOINT = readStatement(
  insertAuditSql('account_audit', 3, 'FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2'),
  nothing,
);

export const REMOVE_AFTER = readStatement(
  `DELETE FROM webhook_failures WHERE account = $1 AND endpoint_id = $2 AND sequence > $4
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.version = $3)`,
  () => undefined,
);

const assignments = parameters(REPLACED_COLUMNS, 5).map(
  (value, index) => `${REPLACED_COLUMNS[index]} = ${value}`,
);
/** The time of `disabled`, the last of the replaced columns. */
const DISABLED_AT_MS = `$${4 + REPLACED_COLUMNS.length}`;
export const REPLACE = readStatement(
  `UPDATE webhook_endpoints SET ${assignments.join(', ')}, version = $3 + 1,
  replay_version = CASE WHEN $4::bigint IS NULL THEN replay_version ELSE $3 + 1 END,
  acknowledged_sequence = coalesce($4::bigint, acknowledged_sequence),
  failing_since_ms = CASE WHEN disabled_at_ms IS NULL OR ${DISABLED_AT_MS}::bigint IS NOT NULL THEN failing_since_ms END
WHERE account = $1 AND id = $2 AND version = $3 RETURNING version`,
  (row) => row.integer(),
);

export const REMOVE_ALL = readStatement(
  'DELETE FROM webhook_failures WHERE account = $1 AND endpoint_id = $2',
  () => undefined,
);
export const DELETE = readStatement(
  'DELETE FROM webhook_endpoints WHERE account = $1 AND id = $2 RETURNING version',
  (row) => row.integer(),
);

export const RETRY = readStatement(
  'UPDATE webhook_failures SET next_attempt_at_ms = $4 WHERE account = $1 AND endpoint_id = $2 AND sequence = $3',
  () => undefined,
);
export const RAISE_VERSION = readStatement(
  `UPDATE webhook_endpoints SET version = version + 1 WHERE account = $1 AND id = $2
  AND EXISTS (SELECT 1 FROM webhook_failures AS f WHERE f.account = $1 AND f.endpoint_id = $2 AND f.sequence = $3)
RETURNING version`,
  (row) => row.integer(),
);

/**
 * Whether progress of the version $3 that went on from the number $4 is stored: not if the change at its number $5 does not have the
 * nonce $6, because an older state of the database was restored.
 */
const GOES_ON = `replay_version <= $3 AND acknowledged_sequence >= $4 AND ($6::bigint IS NULL OR ${nonceSql('$1', '$5')} = $6)`;

const FAILURE_TYPES = FAILURE_COLUMNS.map((column) => (column === 'error' ? 'text[]' : 'bigint[]'));
/** The earlier one, if the endpoint was changed since the version $3: its owner may have asked for it. */
const KEPT_NEXT_ATTEMPT = `CASE WHEN e.version > $3 AND before.next_attempt_at_ms IS NOT NULL
    AND (before.next_attempt_at_ms < kept.next_attempt_at_ms OR kept.next_attempt_at_ms IS NULL)
  THEN greatest(before.next_attempt_at_ms, kept.last_failed_at_ms) ELSE kept.next_attempt_at_ms END`;
const keptColumns = FAILURE_COLUMNS.map((column) =>
  column === 'next_attempt_at_ms' ? KEPT_NEXT_ATTEMPT : `kept.${column}`,
);
export const KEEP = readStatement(
  `INSERT INTO webhook_failures (account, endpoint_id, ${FAILURE_COLUMNS.join(', ')})
SELECT e.account, e.id, ${keptColumns.join(', ')} FROM webhook_endpoints AS e
CROSS JOIN unnest(${FAILURE_TYPES.map((type, index) => `$${7 + index}::${type}`).join(', ')}) AS kept (${FAILURE_COLUMNS.join(', ')})
LEFT JOIN webhook_failures AS before ON before.account = $1 AND before.endpoint_id = $2 AND before.sequence = kept.sequence
WHERE e.account = $1 AND e.id = $2 AND ${GOES_ON}
  AND kept.sequence > coalesce((SELECT a.floor_sequence FROM archives AS a WHERE a.account = $1), 0)
ON CONFLICT (account, endpoint_id, sequence) DO UPDATE SET ${FAILURE_COLUMNS.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`,
  () => undefined,
);
export const REMOVE = readStatement(
  `DELETE FROM webhook_failures WHERE account = $1 AND endpoint_id = $2 AND sequence = ANY ($7::bigint[])
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND ${GOES_ON})`,
  () => undefined,
);
export const PROGRESS = readStatement(
  `UPDATE webhook_endpoints SET acknowledged_sequence = greatest(acknowledged_sequence, $5), failing_since_ms = $7, quick = $8
WHERE account = $1 AND id = $2 AND ${GOES_ON} RETURNING version`,
  (row) => row.integer(),
);
export const DISABLE = readStatement(
  `UPDATE webhook_endpoints SET disabled_reason = $4, disabled_at_ms = $5, version = version + 1
WHERE account = $1 AND id = $2 AND version = $3 RETURNING version`,
  (row) => row.integer(),
);
