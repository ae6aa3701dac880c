import pg from 'pg';
import { keyOf } from '../../audit/audit.ts';
import { auditRowOf } from '../../audit/audit-columns.ts';
import {
  arrayText,
  type BackgroundConnections,
  type Connections,
  readStatement,
  type TxStep,
  type Value,
} from '../../db/postgres/driver/index.ts';
import { readWorker } from '../../db/postgres/read-worker.ts';
import type { Topology } from '../../db/postgres/topology.ts';
import { setAccount } from '../../db/postgres/topology.ts';
import { WATCH_AND_MARK } from '../../ledger/changes/postgres/watched-accounts.ts';
import type { WebhookDeliverer, WebhookFailure, WebhookManager, WebhookStore } from '../webhook.ts';
import {
  bitOf,
  deliverableOf,
  FAILURE_COLUMNS,
  type FailureRow,
  failureValues,
  newWebhookValues,
  oldestFirst,
  replacedValues,
  type WebhookRow,
} from '../webhook-columns.ts';
import {
  AUDIT_CHANGE,
  AUDIT_CREATED,
  AUDIT_ENDPOINT,
  CREATE,
  CREATE_WITH_KEY,
  DELETE,
  DISABLE,
  deliverableOfWorker,
  findWebhookSql,
  KEEP,
  LOCK,
  LOCK_ACCOUNT,
  LOCK_CREATED,
  LOCK_KEY,
  listDeliverableSql,
  listFailuresSql,
  listWebhooksSql,
  PROGRESS,
  RAISE_VERSION,
  READ_LEASE,
  REMOVE,
  REMOVE_AFTER,
  REMOVE_ALL,
  REPLACE,
  RETRY,
  readFailure,
  readListed,
  TAKE_LEASE,
} from './webhook-statements.ts';

/** The turns of delivering among the background work, except those of accounts: no account has this name. */
const DELIVERING = '*delivering';

interface WebhookStoreOptions {
  primary: Connections;
  background: BackgroundConnections;
  topology: Topology;
}

/**
 * The text of steps with their values. On Citus, the statements of one message are one transaction of its workers only if they are one
 * text: otherwise the first one would release its lock.
 */
function scriptOf(steps: readonly TxStep[]): string {
  const literal = (value: Value | undefined) =>
    typeof value === 'string' ? pg.escapeLiteral(value) : String(value ?? null);
  return steps
    .map(({ statement, values }) =>
      statement.text.replaceAll(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1])),
    )
    .join(';\n');
}

/**
 * Writes rows of one account in one transaction of the database. Returns whether the last step found its row. `isMove`: whether those who
 * deliver have to read the endpoints of the account.
 */
type Write = (account: string, steps: readonly TxStep[], options: { isMove: boolean }) => Promise<boolean>;

export function webhookStore(options: WebhookStoreOptions): WebhookStore {
  const { background, topology } = options;
  const write: Write = async (account, steps, { isMove }) => {
    if (topology === 'cluster') {
      const results = await background.script(account, scriptOf(steps));
      return results.at(-1)?.length === 1;
    }
    // The last of all: recordings of the account wait for it.
    const marking = isMove ? [{ statement: WATCH_AND_MARK, values: [account] }] : [];
    const results = await background.transact(account, [setAccount(account), ...steps, ...marking]);
    return results[steps.length]?.length === 1;
  };
  return { ...webhookManager(options, write), ...webhookDeliverer(options, write) };
}

function webhookManager({ primary, topology }: WebhookStoreOptions, writeAll: Write): WebhookManager {
  const write = (account: string, steps: readonly TxStep[]) => writeAll(account, steps, { isMove: true });
  const list = readStatement(listWebhooksSql(topology), readListed);
  const find = readStatement(findWebhookSql(topology), readListed);
  const listFailures = readStatement(listFailuresSql(topology), readFailure);

  return {
    createWebhook: (created, limit, entry) => {
      const key = keyOf(entry);
      const values = [...newWebhookValues(created), limit];
      return write(created.account, [
        { statement: LOCK_ACCOUNT, values: [created.account] },
        ...(key === null
          ? [{ statement: CREATE, values }]
          : [
              { statement: LOCK_KEY, values: [key] },
              { statement: CREATE_WITH_KEY, values: [...values, key] },
            ]),
        // By its row, not by a second count: a deletion between two counts takes no lock of the account.
        {
          statement: AUDIT_CREATED,
          values: [created.account, created.id, created.secret, ...auditRowOf(entry)],
        },
        { statement: LOCK_CREATED, values: [created.account, created.id, created.secret] },
      ]);
    },
    listWebhooks: async (account) => oldestFirst(await primary.read(list, [account])),
    findWebhook: async (account, id) => (await primary.read(find, [account, id]))[0],
    readWebhookRules: async () => (await primary.read(READ_LEASE, []))[0]?.rules,
    replaceWebhook: (replaced, by, entry) => {
      const { account, id, version, acknowledgedSequence } = replaced;
      const stored = [account, id, version - 1];
      const removed = { statement: REMOVE_AFTER, values: [...stored, acknowledgedSequence] };
      const acknowledged = by === 'replay' ? acknowledgedSequence : null;
      return write(account, [
        { statement: LOCK, values: [account, id] },
        ...(by === 'replay' ? [removed] : []),
        { statement: AUDIT_CHANGE, values: [...stored, ...auditRowOf(entry)] },
        { statement: REPLACE, values: [...stored, acknowledged, ...replacedValues(replaced)] },
      ]);
    },
    deleteWebhook: (account, id, entry) => {
      const of = (statement: TxStep['statement']) => ({ statement, values: [account, id] });
      return write(account, [
        of(LOCK),
        of(REMOVE_ALL),
        { statement: AUDIT_ENDPOINT, values: [account, id, ...auditRowOf(entry)] },
        of(DELETE),
      ]);
    },
    listWebhookFailures: async (account, id, after, limit) =>
      (await primary.read(listFailures, [account, id, after, limit])).sort((a, b) => a.sequence - b.sequence),
    retryWebhookFailure: (account, id, sequence, nowMs) =>
      write(account, [
        { statement: LOCK, values: [account, id] },
        { statement: RETRY, values: [account, id, sequence, nowMs] },
        { statement: RAISE_VERSION, values: [account, id, sequence] },
      ]),
  };
}

function webhookDeliverer({ background, topology }: WebhookStoreOptions, write: Write): WebhookDeliverer {
  return {
    leaseWebhooks: async ({ instance, rules, leaseMs }) => {
      const [, read] = await background.transact(DELIVERING, [
        { statement: TAKE_LEASE, values: [instance, rules, leaseMs] },
        { statement: READ_LEASE, values: [] },
      ]);
      const [lease] = read as [{ instance: string; rules: string }];
      return { isHeld: lease.instance === instance, rules: lease.rules };
    },
    listDeliverable: async (part, server = '') => {
      if ('accounts' in part && part.accounts.length === 0) return [];
      const rows =
        server === ''
          ? (await background.script(DELIVERING, listDeliverableSql(topology, part))).at(-1)
          : await readWorker(background, server, deliverableOfWorker(part));
      return (rows as WebhookRow[]).map(deliverableOf);
    },
    storeProgress: (
      account,
      id,
      version,
      { after, acknowledgedSequence, nonce, failingSinceMs, isQuick, failed, delivered },
    ) => {
      const of = [account, id, version, after, acknowledgedSequence, nonce];
      const steps: TxStep[] = [];
      if (failed.length + delivered.length > 0) steps.push({ statement: LOCK, values: [account, id] });
      if (failed.length > 0) steps.push({ statement: KEEP, values: [...of, ...arraysOf(failed)] });
      if (delivered.length > 0) steps.push({ statement: REMOVE, values: [...of, arrayText(delivered)] });
      steps.push({ statement: PROGRESS, values: [...of, failingSinceMs, bitOf(isQuick)] });
      return write(account, steps, { isMove: false });
    },
    disableWebhook: (account, id, version, { reason, atMs }, entry) =>
      write(
        account,
        [
          { statement: LOCK, values: [account, id] },
          { statement: AUDIT_CHANGE, values: [account, id, version, ...auditRowOf(entry)] },
          { statement: DISABLE, values: [account, id, version, reason, atMs] },
        ],
        { isMove: true },
      ),
  };
}

/** The columns of failures, each as an array. */
function arraysOf(failures: readonly WebhookFailure[]): string[] {
  const rows = failures.map(failureValues);
  return FAILURE_COLUMNS.map((_, column) => arrayText(rows.map((row: FailureRow) => row[column] ?? null)));
}
