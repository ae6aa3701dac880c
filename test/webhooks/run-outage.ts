import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { WINDOW } from '../../src/webhooks/delivery/delivery-state.ts';
import { WebhookDeliveries } from '../../src/webhooks/delivery/webhook-deliveries.ts';
import type { Send } from '../../src/webhooks/send.ts';
import { BackgroundTurns } from '../../values/background-turns.ts';
import { transaction } from '../rig/data/transactions.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';
import { importInto } from '../rig/store/import.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';

const ACCOUNT = 'store-1';
const ENDPOINTS = [webhook(1), webhook(2, { ordered: true })];
/**
 * Endpoints, their failures, the lease, and the database's own rows: none of these grow with the
 * changes.
 */
const MOST_ROWS = ENDPOINTS.length * (WINDOW + 1) + 40;

interface OutageResult {
  changes: number;
  /** Attempts while the receiver was down. */
  refused: number;
  delivered: number;
  /** The rows of each table except the transactions', when the receiver was down and all changes existed. */
  rows: Map<string, number>;
}

/** Runs work with a function that queries a database. */
async function withQueries<Result>(
  url: string,
  work: (query: (sql: string) => Promise<Record<string, unknown>[]>) => Promise<Result>,
): Promise<Result> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    try {
      return await work(async (sql) => db.prepare(sql).all());
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}

const tablesSql = (url: string) =>
  url.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')";

/** The number of rows of each table except the table of transactions. */
function countRows(url: string): Promise<Map<string, number>> {
  return withQueries(url, async (query) => {
    const rows = new Map<string, number>();
    for (const { name } of await query(tablesSql(url))) {
      if (name === 'transactions') continue;
      const [counted] = await query(`SELECT count(*) AS rows FROM ${name}`);
      rows.set(String(name), Number(counted?.['rows']));
    }
    return rows;
  });
}

function assertFewRows(rows: ReadonlyMap<string, number>): void {
  assert.ok(rows.has('webhook_failures') && rows.has('webhook_endpoints'));
  for (const [table, count] of rows) assert.ok(count <= MOST_ROWS, `${table} has ${count} rows`);
}

/** A receiver that refuses connections until it is up, and counts what it gets. */
class ModelReceiver {
  isUp = false;
  refused = 0;
  /** The sequence numbers by URL, as they arrived. */
  readonly arrived = new Map(ENDPOINTS.map(({ url }): [string, number[]] => [url, []]));

  readonly send: Send = async ({ url, body }) => {
    await nextTurn();
    if (!this.isUp) {
      this.refused++;
      return { error: 'the connection was refused' };
    }
    this.arrived.get(url)?.push(JSON.parse(body).data.sequence);
    return { status: 204, retryAfterMs: null };
  };
}

/** Waits for an event. The time limit of the test ends it. */
async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await delay(50);
}

const isAcknowledged = async (store: Store, sequence: number) =>
  (await store.listWebhooks(ACCOUNT)).every(
    ({ acknowledgedSequence, failureCount }) => acknowledgedSequence === sequence && failureCount === 0,
  );

/** Everything arrived, each change once, and in order where the endpoint is ordered. */
function checkArrived({ arrived }: ModelReceiver, changes: number): number {
  const expected = Array.from({ length: changes }, (_, index) => index + 1);
  let delivered = 0;
  for (const { url, ordered } of ENDPOINTS) {
    const sequences = arrived.get(url) ?? [];
    delivered += sequences.length;
    assert.deepEqual(ordered ? sequences : sequences.toSorted((one, other) => one - other), expected);
  }
  return delivered;
}

/**
 * Imports changes while the receiver of two endpoints is down, and then lets them be delivered.
 *
 * Throws: an AssertionError if one is lost or arrives twice, or the database got rows for changes that wait.
 */
export async function runOutage(url: string, changes: number): Promise<OutageResult> {
  const { store } = await openStore(url, Date.now);
  const receiver = new ModelReceiver();
  const paused = new Set<string>();
  const errors: unknown[] = [];
  const deliveries = new WebhookDeliveries({
    store,
    send: receiver.send,
    now: Date.now,
    monotonicMs: () => performance.now(),
    random: Math.random,
    stamp: () => someStamp(),
    turns: new BackgroundTurns(setImmediate),
    instance: 'A',
    rules: 'public',
    hooks: {
      onAttempt: () => {},
      onFailure: () => {},
      onPaused: ({ id }, isPaused) => void (isPaused ? paused.add(id) : paused.delete(id)),
      onDisabled: ({ id }) => void errors.push(`${id} was disabled`),
      onMovedBack: ({ id }) => void errors.push(`${id} was moved back`),
      onMissing: ({ id }) => void errors.push(`${id} has a failure without a change`),
      onOtherRules: () => void errors.push('other rules'),
      onError: (error) => void errors.push(error),
    },
  });
  try {
    for (const endpoint of ENDPOINTS) await store.createWebhook(endpoint, ENDPOINTS.length, someEntry());
    deliveries.start();
    const rows = Array.from({ length: changes }, (_, index) => transaction(ACCOUNT, `r${index}`));
    const { recorded } = await importInto(store, rows);
    assert.equal(recorded.counts.recorded, changes);
    await until(() => paused.size === ENDPOINTS.length);
    const { refused } = receiver;
    await until(() => receiver.refused > refused);
    const during = await countRows(url);
    assertFewRows(during);
    receiver.isUp = true;
    await until(() => isAcknowledged(store, changes));
    const delivered = checkArrived(receiver, changes);
    assertFewRows(await countRows(url));
    assert.deepEqual([paused.size, errors], [0, []]);
    return { changes, refused: receiver.refused, delivered, rows: during };
  } finally {
    await deliveries.stop(0);
    await store.close();
  }
}
