import { type AuditEntry, auditValues, keyOf } from '../audit/audit.ts';
import type { Db, Turn } from '../db/db.ts';
import { type Row, type Step, statementsOf } from '../db/statement.ts';
import { MAX_LEASE_MS, OTHER_RULES_MS, type WebhookStore } from './webhook.ts';
import { bitOf, readFailure, readListed, replacedValues } from './webhook-rows.ts';

const sql = statementsOf(new URL('./webhooks.sql', import.meta.url));
const readVersion = (row: Row) => row.integer();

const LIST = sql('listWebhooks', readListed);
const LIST_FAILURES = sql('listFailures', readFailure);
const LOCK_ACCOUNT = sql('lockAccount', readVersion);
const LOCK_KEY = sql('lockKey', (row) => row.text());
const CREATE = sql('createWebhook');
const AUDIT_CREATED = sql('auditCreated');
const FIND_CREATED = sql('findCreated', readVersion);
const LOCK = sql('lockWebhook', readVersion);
const AUDIT_CHANGE = sql('auditChange');
const REMOVE_FAILURES_AFTER = sql('removeFailuresAfter');
const REPLACE = sql('replaceWebhook', readVersion);
const REMOVE_FAILURES = sql('removeFailures');
const DELETE = sql('deleteWebhook', readVersion);
const RETRY = sql('retryFailure');
const RAISE_VERSION = sql('raiseVersion', readVersion);
const DISABLE = sql('disableWebhook', readVersion);
const KEEP = sql('keepFailure');
const REMOVE = sql('removeFailure');
const PROGRESS = sql('storeProgress', readVersion);
const WATCH_AND_MARK = sql('watchAndMark');
const TAKE_LEASE = sql('takeLease');
const READ_LEASE = sql('readLease', (row) => ({ instance: row.text(), rules: row.text() }));

async function change(
  db: Db,
  turn: Turn,
  steps: readonly Step[],
  behind: readonly Step[] = [],
): Promise<boolean> {
  const results: unknown[][] = await db.write(turn, [...steps, ...behind]);
  return results[steps.length - 1]?.length === 1;
}

/**
 * WATCH_AND_MARK makes the delivering instance read the account's endpoints again. WATCH_AND_MARK comes last,
 * because it locks a row for which recordings of the account wait.
 */
const move = (db: Db, account: string, steps: readonly Step[]) =>
  change(db, { turn: 'account' }, steps, [{ statement: WATCH_AND_MARK, values: { account } }]);

/** In the statements, `:id` is the id of the endpoint, and `:entry` is the id of the audit entry. */
const entryValues = (entry: AuditEntry) => {
  const { id, ...values } = auditValues(entry);
  return { ...values, entry: id };
};

export function webhookStore(db: Db): Omit<WebhookStore, 'listDeliverable'> {
  return {
    createWebhook: (created, limit, entry) => {
      const { account, id, secret, createdAtMs, version, replayVersion, acknowledgedSequence } = created;
      const key = keyOf(entry);
      const values = {
        ...replacedValues(created),
        ...{ account, id, createdAtMs, version, replayVersion, acknowledgedSequence, limit, key },
        failingSinceMs: created.failingSinceMs,
        quick: bitOf(created.isQuick),
      };
      return move(db, account, [
        { statement: LOCK_ACCOUNT, values: { account } },
        { statement: LOCK_KEY, values: { account, key } },
        { statement: CREATE, values },
        { statement: AUDIT_CREATED, values: { ...entryValues(entry), account, id, secret } },
        { statement: FIND_CREATED, values: { account, id, secret } },
      ]);
    },
    // Sorted here, because an account has few endpoints: no index in this order is needed.
    listWebhooks: async (account) =>
      (await db.read(LIST, { account, id: null })).sort(
        (a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
      ),
    findWebhook: async (account, id) => (await db.read(LIST, { account, id }))[0],
    readWebhookRules: async () => (await db.read(READ_LEASE, {}))[0]?.rules,
    replaceWebhook: (replaced, by, entry) => {
      const { account, id, acknowledgedSequence } = replaced;
      const stored = { account, id, version: replaced.version - 1 };
      const replayFrom = by === 'replay' ? acknowledgedSequence : null;
      const removing = { statement: REMOVE_FAILURES_AFTER, values: { ...stored, acknowledgedSequence } };
      return move(db, account, [
        { statement: LOCK, values: { account, id } },
        ...(by === 'replay' ? [removing] : []),
        { statement: AUDIT_CHANGE, values: { ...entryValues(entry), ...stored } },
        { statement: REPLACE, values: { ...replacedValues(replaced), ...stored, replayFrom } },
      ]);
    },
    deleteWebhook: (account, id, entry) =>
      move(db, account, [
        { statement: LOCK, values: { account, id } },
        { statement: REMOVE_FAILURES, values: { account, id } },
        { statement: AUDIT_CHANGE, values: { ...entryValues(entry), account, id, version: null } },
        { statement: DELETE, values: { account, id } },
      ]),
    listWebhookFailures: (account, id, after, limit) => db.read(LIST_FAILURES, { account, id, after, limit }),
    retryWebhookFailure: (account, id, sequence, nowMs) =>
      move(db, account, [
        { statement: LOCK, values: { account, id } },
        { statement: RETRY, values: { account, id, sequence, nowMs } },
        { statement: RAISE_VERSION, values: { account, id, sequence } },
      ]),
    leaseWebhooks: async ({ instance, rules, leaseMs }) => {
      const values = { instance, rules, leaseMs, otherRulesMs: OTHER_RULES_MS, maxLeaseMs: MAX_LEASE_MS };
      const [, [taken]] = await db.write({ turn: 'first', isUnsynced: true }, [
        { statement: TAKE_LEASE, values },
        { statement: READ_LEASE, values: {} },
      ]);
      if (taken === undefined) throw new Error('the lease has no row');
      return { isHeld: taken.instance === instance, rules: taken.rules };
    },
    storeProgress: (account, id, version, { after, acknowledgedSequence, nonce, ...progress }) => {
      const of = { account, id, version, after, acknowledgedSequence, nonce };
      const { failingSinceMs, isQuick, failed, delivered } = progress;
      const locking = { statement: LOCK, values: { account, id } };
      return change(db, { turn: 'stream', isUnsynced: true }, [
        ...(failed.length + delivered.length > 0 ? [locking] : []),
        ...failed.map((failure) => ({ statement: KEEP, values: { ...failure, ...of } })),
        ...delivered.map((sequence) => ({ statement: REMOVE, values: { ...of, sequence } })),
        { statement: PROGRESS, values: { ...of, failingSinceMs, quick: bitOf(isQuick) } },
      ]);
    },
    disableWebhook: (account, id, version, { reason, atMs }, entry) =>
      move(db, account, [
        { statement: LOCK, values: { account, id } },
        { statement: AUDIT_CHANGE, values: { ...entryValues(entry), account, id, version } },
        { statement: DISABLE, values: { account, id, version, reason, disabledAtMs: atMs } },
      ]),
  };
}
