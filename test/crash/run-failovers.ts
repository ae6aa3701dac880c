import assert from 'node:assert/strict';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../rig/database/postgres-server.ts';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  createKey,
  createOperatorKey,
  type RunOptions,
  run,
  type Served,
  startServe,
} from '../rig/service/process.ts';
import { ACCOUNTS, FailoverLoad, readFeeds } from './failover-load.ts';
import { until } from './recording-load.ts';

/** Synchronous: each commit waits for one of both standbys, and the one that has received more is promoted. */
export type Replication = 'synchronous' | 'asynchronous';

const STANDBYS = ['standby_1', 'standby_2'] as const;
const MIN_RECORDINGS = 100;
const MAX_RECORDINGS = 400;
/** The level of an error in the log. */
const ERROR = 50;

interface FailoversResult {
  failovers: number;
  acknowledged: number;
  /** Acknowledged recordings that the promoted standbys lacked: the log named each of them once, and nothing else. */
  lost: number;
}

interface FailoversOptions {
  replication: Replication;
  first: number;
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (failovers: number) => void;
}

/**
 * Kills primaries at random moments under load, promotes one of two standbys, and compares what was acknowledged with what is left.
 *
 * Throws: an AssertionError if a recording is lost that no line of the log names, or if anything is lost although commits waited.
 */
export async function runFailovers(options: FailoversOptions): Promise<FailoversResult> {
  const { replication, first, count, endsAtMs = Number.POSITIVE_INFINITY, onProgress } = options;
  const result = { failovers: 0, acknowledged: 0, lost: 0 };
  for (let seed = first; seed < first + count && (seed === first || performance.now() < endsAtMs); seed++) {
    try {
      await failOver(replication, new Random(seed), result);
    } catch (error) {
      throw new Error(`failover ${seed}: ${(error as Error).message}`, { cause: error });
    }
    result.failovers++;
    onProgress?.(result.failovers);
  }
  return result;
}

async function failOver(replication: Replication, random: Random, result: FailoversResult): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  stack.defer(() => folder.remove());
  const start = async (options: Parameters<typeof startPostgres>[0] = {}) => {
    const server = await startPostgres(options);
    stack.defer(() => server.stop());
    return server;
  };
  const primary = await start();
  const { pathname } = new URL(await makePostgresDatabase(primary.url));
  const cwd = folder.path;
  const made = { cwd, env: { DATABASE_URL: `${primary.url}${pathname}` } };
  const operatorKey = await createOperatorKey(made);
  const keys: string[] = [];
  for (const account of ACCOUNTS) keys.push(await createKey(account, made));
  const spare: SpareKey[] = [];
  for (let count = 0; count < 2; count++)
    spare.push(JSON.parse((await run(['keys', 'create', '--account', ACCOUNTS[0], '--json'], made)).stdout));
  const standbys: PostgresServer[] = [];
  for (const name of STANDBYS)
    standbys.push(await start({ standbyOf: primary, settings: { cluster_name: `'${name}'` } }));
  if (replication === 'synchronous') await waitForStandbys(primary);
  const hosts = [primary, ...standbys].map(({ port }) => `127.0.0.1:${port}`);
  const env = {
    DATABASE_URL: `postgres://postgres@${hosts}${pathname}`,
    OPERATOR_PORT: '0',
    REQUEST_TIMEOUT: '5000',
  };
  const served = await startServe({ cwd, env });
  stack.defer(async () => {
    await served.stop();
  });

  const load = new FailoverLoad(served, operatorKey);
  stack.defer(() => load.stop());
  let revoked: SpareKey[] = [];
  const recordSome = () => load.untilMore(random.integer(MIN_RECORDINGS, MAX_RECORDINGS));
  await recordSome();
  // Both standbys are close behind on one machine: one that is cut off is further behind.
  if (replication === 'asynchronous' && random.chance(0.7)) {
    for (const standby of standbys) await detach(standby);
    await recordSome();
    await revokeUnseen(served, operatorKey, spare, made);
    revoked = spare;
  }
  await primary.kill();
  const promoted = replication === 'synchronous' ? await furthest(standbys) : random.pick(standbys);
  await queryPostgres(`${promoted.url}/postgres`, 'SELECT pg_promote()');
  await recordSome();
  await load.stop();

  await checkRevoked(served, revoked);
  const lost = await checkLost(served, load, keys);
  if (replication === 'synchronous') assert.equal(lost, 0, 'a recording is lost');
  result.acknowledged += load.acknowledged;
  result.lost += lost;
}

/** Lets each commit wait for one of the standbys, and resolves when the primary does so. */
async function waitForStandbys(primary: PostgresServer): Promise<void> {
  const url = `${primary.url}/postgres`;
  await queryPostgres(url, `ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (${STANDBYS})'`);
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  const waiting = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'";
  await until(async () => (await queryPostgres(url, waiting)).length === STANDBYS.length);
}

/** Lets a standby receive nothing more. */
async function detach(standby: PostgresServer): Promise<void> {
  const url = `${standby.url}/postgres`;
  await queryPostgres(url, "ALTER SYSTEM SET primary_conninfo = ''");
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  await until(async () => (await queryPostgres(url, 'SELECT 1 FROM pg_stat_wal_receiver')).length === 0);
}

/** The standby that has received more, as the operator has to choose. */
async function furthest(standbys: readonly PostgresServer[]): Promise<PostgresServer> {
  const received: bigint[] = [];
  for (const { url } of standbys) {
    const sql = "SELECT (pg_last_wal_receive_lsn() - '0/0')::text AS bytes";
    const [row] = await queryPostgres(`${url}/postgres`, sql);
    received.push(BigInt(row?.['bytes'] as string));
  }
  const [first, second] = received as [bigint, bigint];
  return standbys[first >= second ? 0 : 1] as PostgresServer;
}

interface SpareKey {
  id: string;
  key: string;
}

const statusOf = async ({ url }: Served, key: string) =>
  (await fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${key}` } })).status;

/** Revokes one key through the service and one by a command, which no standby receives. Resolves when the service knows both ends. */
async function revokeUnseen(
  served: Served,
  operatorKey: string,
  spare: readonly SpareKey[],
  made: RunOptions,
) {
  const [first, second] = spare as [SpareKey, SpareKey];
  const { status } = await fetch(`${served.operatorUrl}/v1/accounts/${ACCOUNTS[0]}/keys/${first.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${operatorKey}` },
  });
  assert.equal(status, 204);
  const revoked = await run(['keys', 'revoke', second.id], made);
  assert.equal(revoked.status, 0, revoked.stderr);
  await until(async () => (await statusOf(served, second.key)) === 401);
}

/** Fails unless the log and the metric name each lost end of a key once, and the keys are refused all the same. */
async function checkRevoked(served: Served, spare: readonly SpareKey[]): Promise<void> {
  const named = () =>
    served
      .logged()
      .split('\n')
      .filter((line) => line.includes('has lost an end'))
      .map((line) => JSON.parse(line).subject);
  await until(() => named().length >= spare.length);
  assert.deepEqual(new Set(named()), new Set(spare.map(({ id }) => id)));
  assert.equal(await countedBy(served, 'ends'), spare.length);
  for (const { key } of spare) assert.equal(await statusOf(served, key), 401);
}

/** What the log says was lost. */
const namedIn = (served: Served): { reference: string; changeId: string; level: number }[] =>
  served
    .logged()
    .split('\n')
    .filter((line) => line.includes('has lost a recording'))
    .map((line) => JSON.parse(line));

async function countedBy({ operatorUrl }: Served, what: 'recordings' | 'ends'): Promise<number> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(new RegExp(`^transactions_lost_${what}_total (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Fails unless the log and the metric name each lost recording once, and no other. Returns how many are lost. */
async function checkLost(served: Served, load: FailoverLoad, keys: readonly string[]): Promise<number> {
  const feed = await readFeeds(served, keys);
  const lostIds = load.ids.difference(feed.ids);
  const lostReferences = load.references.difference(feed.references);
  const lost = lostIds.size + lostReferences.size;
  await until(() => namedIn(served).length >= lost);
  const named = namedIn(served);
  const [lines, singles] = [true, false].map((isLine) =>
    named.filter(({ reference }) => reference.startsWith('line-') === isLine),
  );
  assert.deepEqual(new Set(singles?.map(({ changeId }) => changeId)), lostIds);
  assert.deepEqual(new Set(lines?.map(({ reference }) => reference)), lostReferences);
  assert.equal(named.length, lost);
  assert.ok(named.every(({ level }) => level === ERROR));
  assert.equal(await countedBy(served, 'recordings'), lost);
  return lost;
}
