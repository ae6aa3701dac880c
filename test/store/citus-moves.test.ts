import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { tablesWith } from '../../src/values/tables.ts';
import { transaction } from '../rig/data/transactions.ts';
import {
  addCitus,
  addWorker,
  CITUS_WORKERS,
  makeCitusDatabase,
  makeCoordinatorDatabase,
} from '../rig/database/citus.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { verifyDatabase } from '../verify/healthy-database.ts';
import { runWalks } from '../walks/run-walks.ts';

const TIMEOUT_MS = 10_000;
const ACCOUNTS = Array.from({ length: 8 }, (_, nth) => `acct-${nth}`);
const TABLES = tablesWith(({ onCitus }) => onCitus === 'distributed');
const WALKS = 320;

if (CITUS_WORKERS.length < 2) {
  test('moving to a cluster: not tested here; set TEST_CITUS_URL, and two workers in TEST_CITUS_WORKERS', (t) => {
    t.diagnostic('no shard was moved');
    assert.ok(CITUS_WORKERS.length < 2);
  });
} else
  describe('a database with rows', () => {
    let url: string;
    let store: Store;
    const recorded = new Map(ACCOUNTS.map((account) => [account, 0]));
    let isStopped = false;
    let refused = 0;
    const open = async () =>
      (await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 })).store;

    /** Records one transaction after the other. One that is unavailable is sent again, as callers do. */
    const recordOn = async (account: string) => {
      for (let nth = 0; !isStopped; nth++) {
        const one = transaction(account, String(nth).padStart(6, '0'), { createdAtMs: nth });
        for (let outcome = 'failed'; outcome === 'failed'; ) {
          const [result] = await store.recordTransactions([one]);
          outcome = result?.outcome as string;
          if (result?.outcome === 'held')
            outcome = await store.recordHeld(one).then(
              (done) => done.outcome,
              () => 'failed',
            );
          if (result?.outcome === 'failed')
            assert.ok(result.error instanceof StoreUnavailable, String(result.error));
          if (outcome === 'failed') refused++;
        }
        recorded.set(account, nth + 1);
      }
    };

    let lists = 0;
    /** Lists what was recorded before: never refused, and never less. */
    const listOn = async (account: string) => {
      while (!isStopped) {
        const known = Math.min(11, recorded.get(account) as number);
        const { transactions } = await store.listTransactions(
          { account, filter: NO_FILTER, after: null },
          11,
        );
        assert.ok(transactions.length >= known);
        lists++;
      }
    };

    const during = async (work: () => Promise<void>) => {
      isStopped = false;
      refused = 0;
      lists = 0;
      const load = ACCOUNTS.flatMap((account) => [recordOn(account), listOn(account)]);
      try {
        await Promise.race([work(), Promise.all(load)]);
      } finally {
        isStopped = true;
      }
      await Promise.all(load);
    };

    after(() => store?.close());

    test('moves from one server to a cluster beside the service: no list fails, and no recording is lost', async (t) => {
      url = await makeCoordinatorDatabase();
      store = await open();
      await during(async () => {
        for (const table of TABLES)
          await queryPostgres(url, `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
        // Instances are restarted one after the other.
        const before = store;
        store = await open();
        await before.close();
        await addCitus(url);
        // A service that starts, or a migration, leaves the rows where they are.
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
      });
      const distributed = await queryPostgres(
        url,
        `SELECT logicalrelid::text AS name FROM pg_dist_partition ORDER BY 1`,
      );
      assert.deepEqual(
        distributed.map(({ name }) => name),
        TABLES.toSorted(),
      );
      for (const account of ACCOUNTS) {
        const [row] = await queryPostgres(
          url,
          `SELECT count(*)::int AS count FROM transactions WHERE account = $1`,
          [account],
        );
        assert.equal(row?.['count'], recorded.get(account));
      }
      assert.deepEqual((await verifyDatabase(url)).lines, []);
      t.diagnostic(`${lists} lists, none refused; ${refused} recordings were sent again`);
    });

    test('shards are moved between workers beside the service: walks are exact, and nothing is refused', async (t) => {
      const { moves, recorded: meanwhile } = await moveShardsDuringWalks(url);
      t.diagnostic(`${moves} moves during ${WALKS} walks; ${meanwhile} were recorded meanwhile`);
    });

    test('a worker is added beside the service, and shards are moved to it: walks are exact, and nothing is refused', async (t) => {
      const [first, second] = CITUS_WORKERS as [string, string];
      const grown = await makeCitusDatabase([first]);
      await (await openStore(grown, Date.now)).store.close();
      const { moves, targets } = await moveShardsDuringWalks(grown, () => addWorker(grown, second));
      assert.ok(targets.has(second));
      assert.deepEqual((await verifyDatabase(grown)).lines, []);
      t.diagnostic(`${moves} moves during ${WALKS} walks`);
    });
  });

/** Moves one shard after the other to the other worker while walks are read and rows recorded. */
async function moveShardsDuringWalks(url: string, before = async () => {}) {
  const walks = runWalks(url, WALKS);
  let isWalking = true;
  const ended = walks.finally(() => {
    isWalking = false;
  });
  ended.catch(() => {});
  await before();
  let moves = 0;
  const targets = new Set<string>();
  do {
    const [shard] = await queryPostgres(
      url,
      `SELECT shardid::text AS id, nodename AS host, nodeport AS port FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
       JOIN pg_dist_node USING (groupid) WHERE logicalrelid = 'transactions'::regclass ORDER BY shardid OFFSET $1::int % 4 LIMIT 1`,
      [moves],
    );
    const from = `${shard?.['host']}:${shard?.['port']}`;
    const target = CITUS_WORKERS.find((worker) => worker !== from) as string;
    targets.add(target);
    const [host, port] = target.split(':');
    await queryPostgres(
      url,
      `SELECT citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, 'force_logical')`,
      [shard?.['id'], shard?.['host'], shard?.['port'], host, port],
    );
    moves++;
  } while (isWalking);
  const result = await ended;
  assert.equal(result.walks, WALKS);
  return { moves, targets, recorded: result.recorded };
}
