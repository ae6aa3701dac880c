import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReplicaChange } from '../../../src/db/connection-use.ts';
import { parseLogPosition } from '../../../src/db/postgres/driver/replicas.ts';
import { LOOK_UP_SHARED_MS } from '../../../src/keys/key-cache.ts';
import type { ListResult, Position } from '../../../src/ledger/list/list.ts';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makePostgresDatabase, queryPostgres } from '../../rig/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../rig/database/postgres-server.ts';
import { until } from '../../rig/run/give-up.ts';
import { buildTestApp } from '../../rig/service/app.ts';

const LONG_MS = 600_000;

const onServer = (server: PostgresServer, url: string) => `${server.url}${new URL(url).pathname}`;

const list = (store: Store, after: Position | null = null): Promise<ListResult> =>
  store.listTransactions({ account: 'acct-1', filter: NO_FILTER, after }, 11);

const count = async (store: Store, after: Position | null = null) =>
  (await list(store, after)).transactions.length;

const waitForUse = (store: Store) =>
  until(async () => {
    await list(store);
    return Object.values(store.connectionUse()?.replicas?.replicas ?? {}).includes(true);
  });

const top = (logPosition: string | undefined): Position => ({
  createdAtMs: 253_402_300_799_999,
  reference: 'zzzz',
  ...(logPosition !== undefined && { logPosition }),
});

describe('with standbys', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let delayed: PostgresServer;
  let url: string;

  before(async () => {
    primary = await startPostgres();
    url = await makePostgresDatabase(primary.url);
    const { store } = await openStore(url, Date.now);
    await record(store, [transaction('acct-1', 'a')]);
    await store.close();
    standby = await startPostgres({ standbyOf: primary });
    delayed = await startPostgres({ standbyOf: primary, settings: { recovery_min_apply_delay: `'1h'` } });
  });
  after(async () => {
    for (const server of [delayed, standby, primary]) await server?.stop();
  });

  const open = async (
    replicas: PostgresServer[],
    limits: { maxReplicaLagMs?: number; timeoutMs?: number } = {},
  ) => {
    const replicaUrls = replicas.map((server) => onServer(server, url));
    const options = { connections: 1, replicaUrls, maxReplicaLagMs: LONG_MS, ...limits };
    return (await openStore(url, Date.now, options)).store;
  };
  const caughtUp = () =>
    until(async () => {
      const [written] = await queryPostgres(url, 'SELECT pg_current_wal_lsn()::text AS position');
      const [replayed] = await queryPostgres(
        onServer(standby, url),
        `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS all`,
        [written?.['position']],
      );
      return replayed?.['all'] === true;
    });
  const pause = (server: PostgresServer) =>
    queryPostgres(onServer(server, url), 'SELECT pg_wal_replay_pause()');
  const resume = (server: PostgresServer) =>
    queryPostgres(onServer(server, url), 'SELECT pg_wal_replay_resume()');

  test('a list is read from a standby that is fresh enough, and never from one that is behind the log position of the caller', async () => {
    await caughtUp();
    const store = await open([standby]);
    try {
      await waitForUse(store);
      const { logPosition: seen } = await list(store);
      assert.notEqual(parseLogPosition(String(seen)), undefined);
      await pause(standby);
      await record(store, [transaction('acct-1', 'b')]);
      await until(async () => (await count(store)) === 1);
      const other = await open([delayed]);
      const page = await list(other);
      assert.equal(page.transactions.length, 2);
      await other.close();
      for (let round = 0; round < 5; round++) {
        assert.equal(await count(store, top(page.logPosition)), 2);
        assert.equal(await count(store, top(seen)), 1);
      }
      await resume(standby);
      await until(async () => (await count(store)) === 2);
      assert.equal(await count(store, top(page.logPosition)), 2);
    } finally {
      await resume(standby);
      await store.close();
    }
  });

  test('if the primary is gone and a standby answers, the error names the host to promote', async () => {
    const hosts = `127.0.0.1:1,127.0.0.1:${standby.port}`;
    await assert.rejects(openStore(url.replace(/@[^/]+/, `@${hosts}`), Date.now, { timeoutMs: 8000 }), {
      name: 'StoreRefused',
      message: new RegExp(
        `host 2 \\(127\\.0\\.0\\.1:${standby.port}\\) of DATABASE_URL is a standby, and no other host answers: connect ECONNREFUSED .*Start the primary, or promote a standby\\.$`,
      ),
    });
  });

  test('each replica is reported once as used, or as unused with the reason, and again when that changes', async () => {
    const gone = await startPostgres({ standbyOf: primary });
    await queryPostgres(url, 'CREATE TABLE later (id integer)');
    await caughtUp();
    const changes: ReplicaChange[] = [];
    const { store } = await openStore(url, Date.now, {
      timeoutMs: 1000,
      connections: 1,
      replicaUrls: [standby, primary, delayed, gone].map((server) => onServer(server, url)),
      maxReplicaLagMs: LONG_MS,
      onReplicaChange: (change) => changes.push(change),
    });
    const reported = (server: PostgresServer) =>
      changes.filter(({ replica }) => replica.includes(`:${server.port}/`)).map(({ unused }) => unused);
    try {
      const listUntil = (holds: () => boolean) =>
        until(async () => {
          await list(store);
          return holds();
        });
      await listUntil(() => reported(gone).includes(undefined));
      await listUntil(() => [standby, primary, delayed].every((one) => reported(one).length > 0));
      const used = reported(gone).length;
      await gone.kill();
      await listUntil(() => reported(gone).length > used);
      assert.match(String(reported(gone).at(-1)), /the database can't answer/);
      for (let round = 0; round < 15; round++) {
        await list(store);
        await delay(100);
      }
      assert.deepEqual(reported(standby), [undefined]);
      assert.deepEqual(reported(primary), ['it is a primary, not a standby']);
      assert.deepEqual(reported(delayed), [
        'it is further behind the primary than DATABASE_REPLICA_MAX_LAG allows',
      ]);
      assert.ok(changes.every(({ replica }) => /^postgres:\/\/postgres@127/.test(replica)));
      const inUse = Object.entries(store.connectionUse()?.replicas?.replicas ?? {});
      assert.deepEqual(
        inUse.map(([, isUsed]) => isUsed),
        [true, false, false, false],
      );
    } finally {
      await store.close();
      await gone.start();
      await gone.stop();
    }
  });

  test('without the primary, lists are read from the standby for as long as the lag allows', async () => {
    await caughtUp();
    const store = await open([standby], { maxReplicaLagMs: 4000, timeoutMs: 4000 });
    try {
      await waitForUse(store);
      primary.suspend();
      assert.equal(await count(store), 2);
      await until(() =>
        list(store).then(
          () => false,
          (error) => error.name === 'StoreUnavailable',
        ),
      );
      primary.resume();
      await until(() =>
        list(store).then(
          () => true,
          () => false,
        ),
      );
    } finally {
      primary.resume();
      await store.close();
    }
  });

  test('503, then 200: a promoted standby takes the place of a lost primary, without a restart of the service', async () => {
    await caughtUp();
    const { pathname } = new URL(url);
    const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}${pathname}`;
    const { store } = await openStore(both, Date.now, { timeoutMs: 8000 });
    try {
      const app = await buildTestApp({ store });
      const key = await app.makeKey('acct-1');
      await caughtUp();
      const send = async () => {
        app.clock.advance(LOOK_UP_SHARED_MS);
        return (await app.send('/v1/transactions', { key })).status;
      };
      assert.equal(await send(), 200);
      await primary.kill();
      assert.equal(await send(), 503);
      await queryPostgres(onServer(standby, url), 'SELECT pg_promote()');
      await until(async () => {
        const status = await send();
        assert.ok(status === 200 || status === 503);
        return status === 200;
      });
      await record(store, [transaction('acct-1', 'd')]);
      assert.equal(await count(store), 3);
    } finally {
      await store.close();
      await primary.start();
    }
  });
});

test('a log position is parsed only from the notation of PostgreSQL', () => {
  assert.equal(parseLogPosition('0/0'), 0n);
  assert.equal(parseLogPosition('1/2A'), (1n << 32n) + 42n);
  assert.ok((parseLogPosition('FFFFFFFF/FFFFFFFF') ?? 0n) > (parseLogPosition('9/FFFFFFFF') ?? 0n));
  for (const text of ['', '/', '1', '1/', '/1', 'g/1', '1/123456789', '-1/1', '1/1 ']) {
    assert.equal(parseLogPosition(text), undefined);
  }
});
