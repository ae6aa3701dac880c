import type { DatabaseSync } from 'node:sqlite';
import { type AuditEntry, keyOf } from '../../audit/audit.ts';
import { auditWriter } from '../../audit/sqlite/audit.ts';
import { DATABASE_NOW_MS } from '../../db/sqlite/database-clock.ts';
import type { Synchronous } from '../../db/sqlite/synchronous.ts';
import { archiveReader } from '../../ledger/archives/sqlite/read-archive.ts';
import { nonceReader } from '../../ledger/changes/sqlite/list-changes.ts';
import {
  type AccountWatcher,
  accountWatcher,
  moveMarker,
} from '../../ledger/changes/sqlite/watched-accounts.ts';
import type { ListedWebhook, WebhookFailure, WebhookStore } from '../webhook.ts';
import {
  bitOf,
  deliverableOf,
  FAILURE_COLUMNS,
  type FailureRow,
  failureValues,
  newWebhookValues,
  oldestFirst,
  READ_LEASE_SQL,
  REPLACED_COLUMNS,
  replacedValues,
  takeLeaseSql,
  WEBHOOK_COLUMNS,
  type WebhookRow,
  webhookFailureOf,
  webhookOf,
} from '../webhook-columns.ts';

const COLUMNS = WEBHOOK_COLUMNS.join(', ');
const FAILURE_COLUMN_LIST = FAILURE_COLUMNS.join(', ');

/** The endpoints of the account ?1, each with the number of its failures. */
const LIST_WEBHOOKS_SQL = `SELECT ${COLUMNS},
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = ?1 AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = ?1`;

const FIND_WEBHOOK_SQL = `${LIST_WEBHOOKS_SQL} AND e.id = ?2`;

const LIST_FAILURES_SQL = `SELECT ${FAILURE_COLUMN_LIST} FROM webhook_failures
WHERE account = ? AND endpoint_id = ? AND sequence > ? ORDER BY sequence LIMIT ? + 0`;

/** The columns that deliverableOf reads. */
const DELIVERABLE = `SELECT ${COLUMNS},
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1),
  EXISTS (SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account)
FROM webhook_endpoints AS e`;

/** The enabled endpoints after the id ? of the account ?, or of the accounts in a JSON array. */
const LIST_DELIVERABLE_SQL = {
  page: `${DELIVERABLE} INDEXED BY webhook_endpoints_enabled
WHERE (account, id) > (?, ?) AND disabled_at_ms IS NULL ORDER BY account, id LIMIT ? + 0`,
  accounts: `${DELIVERABLE} WHERE account IN (SELECT value FROM json_each(?)) AND disabled_at_ms IS NULL`,
};

/** The reads of WebhookStore. */
type WebhookReads =
  | 'listWebhooks'
  | 'findWebhook'
  | 'readWebhookRules'
  | 'listWebhookFailures'
  | 'listDeliverable';

export function webhookReader(db: DatabaseSync): Synchronous<WebhookStore, WebhookReads> {
  const rows = <Row>(sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return (...values: (string | number)[]) => statement.all(...values) as unknown as Row[];
  };
  const list = rows<WebhookRow>(LIST_WEBHOOKS_SQL);
  const find = rows<WebhookRow>(FIND_WEBHOOK_SQL);
  const listFailures = rows<FailureRow>(LIST_FAILURES_SQL);
  const readLease = db.prepare(READ_LEASE_SQL);
  const listPage = rows<WebhookRow>(LIST_DELIVERABLE_SQL.page);
  const listOfAccounts = rows<WebhookRow>(LIST_DELIVERABLE_SQL.accounts);
  const listedOf = (row: WebhookRow): ListedWebhook => ({
    ...webhookOf(row),
    failureCount: Number(row[WEBHOOK_COLUMNS.length]),
  });

  return {
    listWebhooks: (account) => oldestFirst(list(account).map(listedOf)),
    findWebhook: (account, id) => find(account, id).map(listedOf)[0],
    readWebhookRules: () => (readLease.get() as { rules: string } | undefined)?.rules,
    listWebhookFailures: (account, id, after, limit) =>
      listFailures(account, id, after, limit).map(webhookFailureOf),
    listDeliverable: (part) =>
      ('accounts' in part
        ? listOfAccounts(JSON.stringify(part.accounts))
        : listPage(part.after?.account ?? '', part.after?.id ?? '', part.limit)
      ).map(deliverableOf),
  };
}

/** The writes of WebhookStore, each inside the caller's transaction of the database. */
export interface WebhookWriter extends AccountWatcher, Synchronous<Omit<WebhookStore, WebhookReads>> {}

const places = (columns: readonly string[]) => columns.map(() => '?').join(', ');

/** Whether an entry is of a request whose key was revoked. */
function endedKeys(db: DatabaseSync): (entry: AuditEntry) => boolean {
  const find = db.prepare('SELECT 1 FROM api_keys WHERE id = ? AND revoked_at_ms IS NULL');
  return (entry) => {
    const key = keyOf(entry);
    return key !== null && find.get(key) === undefined;
  };
}

export function webhookWriter(db: DatabaseSync): WebhookWriter {
  const count = db.prepare('SELECT count(*) AS stored FROM webhook_endpoints WHERE account = ?');
  const isEnded = endedKeys(db);
  const insert = db.prepare(
    `INSERT INTO webhook_endpoints (${WEBHOOK_COLUMNS.join(', ')}) VALUES (${places(WEBHOOK_COLUMNS)})
     ON CONFLICT (account, id) DO NOTHING`,
  );
  const remove = db.prepare('DELETE FROM webhook_endpoints WHERE account = ? AND id = ?');
  const disable = db.prepare(
    `UPDATE webhook_endpoints SET disabled_reason = ?, disabled_at_ms = ?, version = version + 1
     WHERE account = ? AND id = ? AND version = ?`,
  );
  const raiseVersion = db.prepare(
    'UPDATE webhook_endpoints SET version = version + 1 WHERE account = ? AND id = ?',
  );
  const replace = db.prepare(
    `UPDATE webhook_endpoints SET ${REPLACED_COLUMNS.map((column) => `${column} = ?`).join(', ')}, version = version + 1,
       replay_version = iif(?, version + 1, replay_version), acknowledged_sequence = coalesce(?, acknowledged_sequence),
       failing_since_ms = iif(disabled_at_ms IS NULL OR ?, failing_since_ms, NULL)
     WHERE account = ? AND id = ? AND version = ?`,
  );
  const failures = failureWriter(db);
  const { watchAccounts } = accountWatcher(db);
  const mark = moveMarker(db);
  const marked = (account: string, isDone: boolean) => {
    if (!isDone) return false;
    watchAccounts([account]);
    mark(account);
    return true;
  };

  const write = auditWriter(db, 'account_audit');
  /** Returns whether it changed something. */
  const audited = (hasChanged: boolean, entry: AuditEntry) => {
    if (hasChanged) write(entry);
    return hasChanged;
  };

  return {
    watchAccounts,
    createWebhook: (created, limit, entry) => {
      const { stored } = count.get(created.account) as { stored: number };
      if (stored >= limit || isEnded(entry)) return false;
      return marked(created.account, audited(insert.run(...newWebhookValues(created)).changes === 1, entry));
    },
    replaceWebhook: (replaced, by, entry) => {
      const { account, id, version, acknowledgedSequence, disabled } = replaced;
      const acknowledged = by === 'replay' ? acknowledgedSequence : null;
      const staysDisabled = disabled === null ? 0 : 1;
      const values = [...replacedValues(replaced), by === 'replay' ? 1 : 0, acknowledged, staysDisabled];
      const { changes } = replace.run(...values, account, id, version - 1);
      if (!audited(changes === 1, entry)) return false;
      if (by === 'replay') failures.removeAfter(account, id, acknowledgedSequence);
      return marked(account, true);
    },
    deleteWebhook: (account, id, entry) => {
      failures.removeAfter(account, id, 0);
      return marked(account, audited(remove.run(account, id).changes === 1, entry));
    },
    retryWebhookFailure: (account, id, sequence, nowMs) => {
      if (!failures.retry(account, id, sequence, nowMs)) return false;
      raiseVersion.run(account, id);
      return marked(account, true);
    },
    leaseWebhooks: webhookLeaser(db),
    storeProgress: progressWriter(db),
    disableWebhook: (account, id, version, { reason, atMs }, entry) =>
      marked(account, audited(disable.run(reason, atMs, account, id, version).changes === 1, entry)),
  };
}

function progressWriter(db: DatabaseSync): WebhookWriter['storeProgress'] {
  const progress = db.prepare(
    `UPDATE webhook_endpoints SET acknowledged_sequence = max(acknowledged_sequence, ?), failing_since_ms = ?, quick = ?
     WHERE account = ? AND id = ? AND replay_version <= ? AND acknowledged_sequence >= ?`,
  );
  const nonceOf = nonceReader(db);
  const readArchive = archiveReader(db);
  const failures = failureWriter(db);
  return (account, id, version, { after, acknowledgedSequence, nonce, failed, delivered, ...receiver }) => {
    if (nonce !== null && nonceOf(account, acknowledgedSequence) !== nonce) return false;
    const values = [acknowledgedSequence, receiver.failingSinceMs, bitOf(receiver.isQuick)];
    if (progress.run(...values, account, id, version, after).changes !== 1) return false;
    const floor = failed.length > 0 ? (readArchive(account)?.floorSequence ?? 0) : 0;
    for (const failure of failed) if (failure.sequence > floor) failures.keep(account, id, version, failure);
    for (const sequence of delivered) failures.remove(account, id, sequence);
    return true;
  };
}

function webhookLeaser(db: DatabaseSync): WebhookWriter['leaseWebhooks'] {
  const take = db.prepare(takeLeaseSql(DATABASE_NOW_MS));
  const read = db.prepare(READ_LEASE_SQL);
  return ({ instance, rules, leaseMs }) => {
    take.run({ 1: instance, 2: rules, 3: leaseMs });
    const lease = read.get() as { instance: string; rules: string };
    return { isHeld: lease.instance === instance, rules: lease.rules };
  };
}

/** The earlier one, if the endpoint ?2 of the account ?1 was changed since the version ?3: its owner may have asked for it. */
const KEPT_NEXT_ATTEMPT = `CASE WHEN next_attempt_at_ms < coalesce(excluded.next_attempt_at_ms, ${Number.MAX_SAFE_INTEGER})
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = ?1 AND e.id = ?2 AND e.version > ?3)
  THEN max(next_attempt_at_ms, excluded.last_failed_at_ms) ELSE excluded.next_attempt_at_ms END`;

function failureWriter(db: DatabaseSync) {
  const keep = db.prepare(
    `INSERT INTO webhook_failures (account, endpoint_id, ${FAILURE_COLUMN_LIST}) VALUES (?1, ?2, ${FAILURE_COLUMNS.map((_, index) => `?${index + 4}`).join(', ')})
     ON CONFLICT DO UPDATE SET ${FAILURE_COLUMNS.map((column) => `${column} = ${column === 'next_attempt_at_ms' ? KEPT_NEXT_ATTEMPT : `excluded.${column}`}`).join(', ')}`,
  );
  const ofEndpoint = 'WHERE account = ? AND endpoint_id = ?';
  const remove = db.prepare(`DELETE FROM webhook_failures ${ofEndpoint} AND sequence = ?`);
  const removeAfter = db.prepare(`DELETE FROM webhook_failures ${ofEndpoint} AND sequence > ?`);
  const retry = db.prepare(
    `UPDATE webhook_failures SET next_attempt_at_ms = ? ${ofEndpoint} AND sequence = ?`,
  );
  return {
    keep: (account: string, id: string, version: number, failure: WebhookFailure) =>
      keep.run(account, id, version, ...failureValues(failure)),
    remove: (account: string, id: string, sequence: number) => remove.run(account, id, sequence),
    removeAfter: (account: string, id: string, after: number) => removeAfter.run(account, id, after),
    retry: (account: string, id: string, sequence: number, nowMs: number) =>
      retry.run(nowMs, account, id, sequence).changes === 1,
  };
}
