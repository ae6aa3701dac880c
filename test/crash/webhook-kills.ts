import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { makeApiKey } from '../../src/keys/api-key.ts';
import type { Change } from '../../src/ledger/changes/change.ts';
import { changeType } from '../../src/ledger/changes/change.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../src/values/caller.ts';
import { createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';
import { startWebhookService } from '../rig/webhooks/webhook-service.ts';
import { type Arrivals, HostileReceiver } from './hostile-receiver.ts';
import { until } from './recording-load.ts';
import { WebhookLoad } from './webhook-load.ts';

interface WebhookKillsOptions {
  kills: number;
  seed: number;
  endsAtMs?: number | undefined;
  onProgress?: (kills: number) => void;
}

interface WebhookKillsResult {
  kills: number;
  /** Changes that were acknowledged to the recorder, and all of the feeds. */
  acknowledged: number;
  changes: number;
  /** Deliveries that arrived, and how many were wanted. */
  arrived: number;
  wanted: number;
}

/** Some are delivered in order, and one only in part. */
const ENDPOINTS = [
  { account: 'store-1', name: 'all-1', ordered: false, types: null },
  { account: 'store-1', name: 'ordered-1', ordered: true, types: null },
  { account: 'store-2', name: 'all-2', ordered: false, types: null },
  { account: 'store-2', name: 'completed-2', ordered: false, types: ['transaction.completed'] },
  { account: 'store-3', name: 'ordered-3', ordered: true, types: null },
];
const ACCOUNTS = [...new Set(ENDPOINTS.map(({ account }) => account))];

/** A kill comes after so many deliveries, or so many recordings if the receiver gets nothing, */
const MAX_ARRIVED = 20;
const MAX_ACKNOWLEDGED = 40;
/** and then a random time, at most this long. */
const MAX_LATER_MS = 5;
/** So often the receiver is away, */
const OUTAGE = 0.1;
/** and otherwise it accepts so many deliveries in a hundred not. */
const HOSTILITY = [0, 20, 20, 60];
const ALL = 1_000_000;

/** The place of an endpoint in the database, checked against what its receiver has accepted. */
class CheckedPlace {
  readonly arrivals: Arrivals;
  #acknowledged = 0;
  /** Acknowledged changes that the receiver had not accepted: they must be kept as failures. */
  readonly #kept = new Set<number>();

  constructor(arrivals: Arrivals) {
    this.arrivals = arrivals;
  }

  wants(change: Change): boolean {
    return this.arrivals.endpoint.types?.includes(changeType(change)) !== false;
  }

  /** Fails if a change is neither accepted nor kept that the database says is delivered. Returns whether all are delivered. */
  async check(store: Store, changes: readonly Change[]): Promise<boolean> {
    const { endpoint, accepted } = this.arrivals;
    const { account, id, url } = endpoint;
    const found = await store.findWebhook(account, id);
    assert.ok(found !== undefined && found.disabled === null, `${url} is gone or disabled`);
    const failures = await store.listWebhookFailures(account, id, 0, ALL);
    assert.ok(found.acknowledgedSequence >= this.#acknowledged, `${url} was moved back`);
    for (const change of changes.slice(this.#acknowledged, found.acknowledgedSequence))
      if (this.wants(change)) this.#kept.add(change.sequence);
    this.#acknowledged = found.acknowledgedSequence;
    const failed = new Set(failures.map(({ sequence }) => sequence));
    for (const sequence of this.#kept) {
      if (accepted.has(sequence)) this.#kept.delete(sequence);
      else assert.ok(failed.has(sequence), `${url}: ${sequence} is acknowledged, and is lost`);
    }
    return failures.length === 0 && this.#acknowledged === changes.length;
  }

  /** The owner asks for an attempt of each failure now: by the schedule, some come hours later. */
  async retryFailures(store: Store): Promise<void> {
    const { account, id } = this.arrivals.endpoint;
    for (const { sequence } of await store.listWebhookFailures(account, id, 0, ALL))
      await store.retryWebhookFailure(account, id, sequence, Date.now());
  }
}

interface Prepared {
  url: string;
  store: Store;
  operatorKey: string;
  receiver: HostileReceiver;
  places: CheckedPlace[];
  /** The changes of each account that were read. */
  feeds: Map<string, Change[]>;
}

async function prepare(path: string, random: Random): Promise<Prepared> {
  const url = `sqlite:${path}/transactions.db`;
  const { store } = await openStore(url, Date.now);
  const made = makeApiKey(
    { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null },
    Date.now(),
    randomBytes,
  );
  await store.createApiKey(made.stored, someEntry());
  const receiver = new HostileReceiver(random);
  await receiver.open();
  const places: CheckedPlace[] = [];
  for (const { account, name, ordered, types } of ENDPOINTS) {
    const fields = { url: receiver.urlOf(name), types, label: null, ordered, signing: 'v1' as const };
    const { created } = await createWebhook(
      { store, now: Date.now, randomBytes, stamp: () => someStamp() },
      account,
      fields,
    );
    places.push(new CheckedPlace(receiver.add(created)));
  }
  return { url, store, operatorKey: made.key, receiver, places, feeds: new Map() };
}

/** Reads what was recorded since. */
async function readFeeds({ store, feeds }: Prepared): Promise<void> {
  for (const account of ACCOUNTS) {
    const changes = feeds.get(account) ?? [];
    const recorded = await store.listChanges({ account, after: changes.length, limit: ALL });
    feeds.set(account, [...changes, ...recorded.changes]);
  }
}

/** Returns whether everything is delivered. */
async function checkAll(prepared: Prepared): Promise<boolean> {
  const { store, feeds, receiver, places } = prepared;
  assert.deepEqual(receiver.violations, []);
  await readFeeds(prepared);
  let isDone = true;
  for (const place of places) {
    const changes = feeds.get(place.arrivals.endpoint.account) ?? [];
    if (!(await place.check(store, changes))) isDone = false;
  }
  return isDone;
}

/** The killed process can't give its lease back. It would lapse within seconds, as it does after the last kill. */
function endLease({ url }: Prepared): void {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: GIVE_UP_MS });
  db.exec('DELETE FROM webhook_lease');
  db.close();
}

/** Runs a service until a random moment, while changes are recorded and delivered. */
async function runUntilKill(
  cwd: string,
  prepared: Prepared,
  load: WebhookLoad,
  random: Random,
): Promise<void> {
  const { url, store, operatorKey, receiver, places } = prepared;
  if (random.chance(OUTAGE)) await receiver.close();
  else await receiver.open();
  receiver.hostility = random.pick(HOSTILITY);
  if (random.chance(0.5)) for (const place of places) await place.retryFailures(store);
  const served = await startWebhookService({ cwd, env: { DATABASE_URL: url } });
  const arrivals = receiver.count + random.integer(0, MAX_ARRIVED);
  const acknowledged = load.acknowledged + MAX_ACKNOWLEDGED;
  const { promise: moment, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (receiver.count >= arrivals || load.acknowledged >= acknowledged) resolve();
  };
  receiver.onArrival = look;
  const recording = load.start(served.operatorUrl, operatorKey, look);
  look();
  await Promise.race([moment, recording]);
  await delay(random.integer(0, MAX_LATER_MS));
  await served.stop('SIGKILL');
  await load.stop();
}

/** The receiver is up, and accepts everything: what is not delivered yet arrives. */
async function finish(
  cwd: string,
  prepared: Prepared,
  load: WebhookLoad,
  result: WebhookKillsResult,
): Promise<void> {
  const { url, store, feeds, receiver, places } = prepared;
  receiver.hostility = 0;
  await receiver.open();
  const served = await startWebhookService({ cwd, env: { DATABASE_URL: url } });
  try {
    await until(async () => {
      for (const place of places) await place.retryFailures(store);
      await delay(500);
      return checkAll(prepared);
    });
  } finally {
    await served.stop();
  }
  load.check(feeds);
  for (const place of places) {
    const { endpoint, accepted, count } = place.arrivals;
    const wanted = (feeds.get(endpoint.account) ?? []).filter((change) => place.wants(change));
    assert.deepEqual(
      [...accepted].sort((one, other) => one - other),
      wanted.map(({ sequence }) => sequence),
    );
    result.arrived += count;
    result.wanted += wanted.length;
  }
  result.acknowledged += load.acknowledged;
  for (const changes of feeds.values()) result.changes += changes.length;
}

async function killOneService(
  takeKill: () => number | null,
  random: Random,
  result: WebhookKillsResult,
  onProgress: WebhookKillsOptions['onProgress'],
): Promise<void> {
  const folder = temporaryFolder();
  const prepared = await prepare(folder.path, random);
  const load = new WebhookLoad(ACCOUNTS, random);
  try {
    while (takeKill() !== null) {
      await runUntilKill(folder.path, prepared, load, random);
      await checkAll(prepared);
      endLease(prepared);
      result.kills++;
      onProgress?.(result.kills);
    }
    await finish(folder.path, prepared, load, result);
  } finally {
    await prepared.receiver.close();
    await prepared.store.close();
    folder.remove();
  }
}

/**
 * Kills services on SQLite at random moments while they record, and deliver to a receiver that does everything wrong, with one database for
 * each service.
 *
 * Throws: an AssertionError if an acknowledged change does not arrive, its id changes, an ordered endpoint gets a change too early, or
 * a signature is wrong.
 */
export async function runWebhookKills(
  { kills, seed, endsAtMs, onProgress }: WebhookKillsOptions,
  services = 2,
): Promise<WebhookKillsResult> {
  const result: WebhookKillsResult = { kills: 0, acknowledged: 0, changes: 0, arrived: 0, wanted: 0 };
  let begun = 0;
  const isTimeUp = () => endsAtMs !== undefined && performance.now() > endsAtMs;
  const takeKill = () => (begun < kills && !isTimeUp() ? ++begun : null);
  await Promise.all(
    Array.from({ length: services }, (_, index) =>
      killOneService(takeKill, new Random(seed + index), result, onProgress),
    ),
  );
  return result;
}
