import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { tablesWith } from '../../values/tables.ts';
import {
  addCitus,
  addWorker,
  CITUS_URL,
  CITUS_WORKERS,
  crashServer,
  makeCitusDatabase,
  makeCoordinatorDatabase,
  onCitus,
  workerUrl,
} from '../rig/database/citus.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { verifyDatabase } from '../verify/healthy-database.ts';
import { Callers } from './citus-callers.ts';

const TIMEOUT_MS = 10_000;
const ACCOUNTS = Array.from({ length: 8 }, (_, nth) => `acct-${nth}`);
const TABLES = tablesWith(({ onCitus }) => onCitus === 'distributed');

onCitus(
  'moving shards',
  () => {
    describe('a database with rows', () => {
      let url: string;
      let store: Store;
      const callers = new Callers(ACCOUNTS, () => store);
      const open = async () =>
        (await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 })).store;
      after(() => store?.close());

      test('moves from one server to a cluster while the service runs: no list fails, and no recording is lost', async (t) => {
        url = await makeCoordinatorDatabase();
        store = await open();
        const distribute = async () => {
          for (const table of TABLES)
            await queryPostgres(url, `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
          const before = store;
          store = await open();
          await before.close();
          await addCitus(url);
          await (await open()).close();
          const undistributed = await queryPostgres(url, 'SELECT logicalrelid::text FROM pg_dist_partition');
          assert.deepEqual(undistributed, []);
          const client = new pg.Client({ connectionString: url });
          await client.connect();
          await client.query(`SELECT create_distributed_table_concurrently('transactions', 'account')`);
          await client.query(
            `SELECT create_distributed_table('accounts', 'account', colocate_with => 'transactions')`,
          );
          await client.end();
          await (await open()).close();
        };
        await callers.during(distribute, { mayRefuse: false });
        const distributed = await queryPostgres(
          url,
          `SELECT logicalrelid::text AS name FROM pg_dist_partition ORDER BY 1`,
        );
        assert.deepEqual(
          distributed.map(({ name }) => name),
          TABLES.toSorted(),
        );
        await callers.check();
        assert.deepEqual((await verifyDatabase(url)).lines, []);
        t.diagnostic(JSON.stringify(callers.counts));
      });
    });

    describe('a cluster with callers that record, list, follow changes and seal', () => {
      const stores: Store[] = [];
      after(() => Promise.all(stores.map((store) => store.close())));

      const callersOn = async (url: string) => {
        const { store } = await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 });
        stores.push(store);
        return new Callers(ACCOUNTS, () => store);
      };
      const check = async (url: string, callers: Callers) => {
        await callers.check();
        assert.deepEqual((await verifyDatabase(url)).lines, []);
      };

      test('a worker is added, and Citus moves shards to it: nothing is refused, lost or repeated', async (t) => {
        const [first, second] = CITUS_WORKERS as [string, string];
        const url = await makeCitusDatabase([first]);
        const callers = await callersOn(url);
        const rebalance = async () => {
          await callers.untilRecorded(10);
          await addWorker(url, second);
          await queryPostgres(url, 'SELECT citus_rebalance_start()');
          await queryPostgres(url, 'SELECT citus_rebalance_wait()');
          await callers.untilRecorded(10);
        };
        await callers.during(rebalance, { mayRefuse: false });
        const placed = (await placementsOf(url)).map(({ worker }) => worker);
        assert.deepEqual(placed.toSorted(), [first, first, second, second].sort());
        await check(url, callers);
        t.diagnostic(JSON.stringify(callers.counts));
      });

      test('each server crashes while a shard is moved: it is used again, and nothing is lost or repeated', async (t) => {
        const url = await makeCitusDatabase();
        const callers = await callersOn(url);
        let cut = 0;
        const crashAll = async () => {
          for (const server of [...CITUS_WORKERS.map(workerUrl), CITUS_URL as string]) {
            await callers.untilRecorded(10);
            const moved = moveShard(url, (await placementsOf(url))[0] as Placement).then(
              () => 0,
              () => 1,
            );
            await crashServer(server);
            cut += await moved;
            await callers.untilRecorded(10);
            await moveShard(url, (await placementsOf(url))[0] as Placement);
          }
          await callers.untilRecorded(10);
        };
        await callers.during(crashAll, { mayRefuse: true });
        await check(url, callers);
        t.diagnostic(`${cut} moves were cut; ${JSON.stringify(callers.counts)}`);
      });
    });
  },
  2,
);

interface Placement {
  shard: string;
  worker: string;
}

async function placementsOf(url: string): Promise<Placement[]> {
  const rows = await queryPostgres(
    url,
    `SELECT shardid::text AS shard, nodename || ':' || nodeport AS worker FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
     JOIN pg_dist_node USING (groupid) WHERE logicalrelid = 'transactions'::regclass ORDER BY shardid`,
  );
  return rows as unknown as Placement[];
}

async function moveShard(url: string, { shard, worker }: Placement): Promise<string> {
  const target = CITUS_WORKERS.find((other) => other !== worker) as string;
  await queryPostgres(
    url,
    `SELECT citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, 'force_logical')`,
    [shard, ...worker.split(':'), ...target.split(':')],
  );
  return target;
}
