import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../rig/database/postgres-server.ts';
import { until } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import {
  call,
  createKey,
  createOperatorKey,
  type RunOptions,
  run,
  type Served,
  startServe,
} from '../rig/service/process.ts';
import { RecordingLoad } from './recording-load.ts';

type Replication = 'synchronous' | 'asynchronous';

const FAILOVERS = inTier({ short: 1, long: 3 });
const ACCOUNTS = ['store-1', 'store-2', 'store-3'] as const;
const STANDBYS = ['standby_1', 'standby_2'] as const;
const MIN_RECORDINGS = 100;
const MAX_RECORDINGS = 400;
const ERROR = 50;

const TESTS: Record<Replication, string> = {
  asynchronous:
    'each acknowledged recording, and each end of a key, that a promoted standby lacks is named once in the log, and no other',
  synchronous:
    'nothing is lost if commits wait for a standby, and the one that has received more is promoted',
};
for (const [replication, name] of Object.entries(TESTS) as [Replication, string][])
  test(name, async (t) => {
    for (let failover = seed; failover < seed + FAILOVERS; failover++)
      t.diagnostic(`failover ${failover}: ${await failOver(replication, new Random(failover))}`);
  });

async function failOver(replication: Replication, random: Random): Promise<string> {
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

  const loads = ACCOUNTS.map((account) => new RecordingLoad(account));
  const stop = () => Promise.all(loads.map((load) => load.stop()));
  for (const load of loads) load.start(served.operatorUrl, operatorKey);
  stack.defer(async () => void (await stop()));
  let revoked: SpareKey[] = [];
  const acknowledged = () => loads.reduce((sum, { ids, lines }) => sum + ids.size + lines.size, 0);
  const recordSome = async () => {
    const enough = acknowledged() + random.integer(MIN_RECORDINGS, MAX_RECORDINGS);
    await until(() => acknowledged() >= enough);
  };
  await recordSome();
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
  await stop();

  await checkRevoked(served, revoked);
  const lost = await checkLost(served, loads, keys);
  if (replication === 'synchronous') assert.equal(lost, 0, 'a recording is lost');
  return `${acknowledged()} acknowledged, ${lost} lost`;
}

async function waitForStandbys(primary: PostgresServer): Promise<void> {
  const url = `${primary.url}/postgres`;
  await queryPostgres(url, `ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (${STANDBYS})'`);
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  const waiting = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'";
  await until(async () => (await queryPostgres(url, waiting)).length === STANDBYS.length);
}

async function detach(standby: PostgresServer): Promise<void> {
  const url = `${standby.url}/postgres`;
  await queryPostgres(url, "ALTER SYSTEM SET primary_conninfo = ''");
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  await until(async () => (await queryPostgres(url, 'SELECT 1 FROM pg_stat_wal_receiver')).length === 0);
}

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

const statusOf = async ({ url }: Served, key: string) => (await call(`${url}/v1/key`, key)).status;

async function revokeUnseen(
  served: Served,
  operatorKey: string,
  spare: readonly SpareKey[],
  made: RunOptions,
) {
  const [first, second] = spare as [SpareKey, SpareKey];
  const url = `${served.operatorUrl}/v1/accounts/${ACCOUNTS[0]}/keys/${first.id}`;
  const { status } = await call(url, operatorKey, { method: 'DELETE' });
  assert.equal(status, 204);
  assert.equal(await statusOf(served, second.key), 200);
  const revoked = await run(['keys', 'revoke', second.id], made);
  assert.equal(revoked.status, 0, revoked.stderr);
  await until(async () => (await statusOf(served, second.key)) === 401);
}

async function checkRevoked(served: Served, spare: readonly SpareKey[]): Promise<void> {
  const named = () =>
    served
      .logged()
      .split('\n')
      .filter((line) => line.includes('has lost a revocation'))
      .map((line) => JSON.parse(line).subject);
  await until(() => named().length >= spare.length);
  assert.deepEqual(new Set(named()), new Set(spare.map(({ id }) => id)));
  assert.equal(await countedBy(served, 'ends'), spare.length);
  for (const { key } of spare) assert.equal(await statusOf(served, key), 401);
}

interface Page {
  data: { id: string; transaction: { reference: string } }[];
  lastSequence: number;
  hasMore: boolean;
}

async function readFeeds({ url }: Served, keys: readonly string[]) {
  const feed = { ids: new Set<string>(), references: new Set<string>() };
  for (const key of keys)
    for (let after = 0, hasMore = true; hasMore; ) {
      const response = await call(`${url}/v1/changes?limit=1000&after=${after}`, key);
      const page = (await response.json()) as Page;
      assert.equal(response.status, 200, JSON.stringify(page));
      for (const { id, transaction } of page.data) {
        feed.ids.add(id);
        feed.references.add(transaction.reference);
      }
      ({ lastSequence: after, hasMore } = page);
    }
  return feed;
}

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

async function checkLost(
  served: Served,
  loads: readonly RecordingLoad[],
  keys: readonly string[],
): Promise<number> {
  assert.ok(loads.every(({ cutOff }) => cutOff === 0));
  const sent = new Set(loads.flatMap(({ lines }) => [...lines]));
  const feed = await readFeeds(served, keys);
  const lostIds = new Set(loads.flatMap(({ ids }) => [...ids])).difference(feed.ids);
  const lostReferences = sent.difference(feed.references);
  const lost = lostIds.size + lostReferences.size;
  await until(() => namedIn(served).length >= lost);
  const named = namedIn(served);
  const [lines, singles] = [true, false].map((isLine) =>
    named.filter(({ reference }) => sent.has(reference) === isLine),
  );
  assert.deepEqual(new Set(singles?.map(({ changeId }) => changeId)), lostIds);
  assert.deepEqual(new Set(lines?.map(({ reference }) => reference)), lostReferences);
  assert.equal(named.length, lost);
  assert.ok(named.every(({ level }) => level === ERROR));
  assert.equal(await countedBy(served, 'recordings'), lost);
  return lost;
}
