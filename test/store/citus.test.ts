import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { LIST_SETTINGS_ON_CITUS, optionsOf } from '../../src/db/postgres/driver/plan-settings.ts';
import { readShards, type ShardRow, workerOf } from '../../src/db/postgres/shards.ts';
import { isMerged } from '../../src/ledger/list/list.ts';
import { openStore } from '../../src/store/open-store.ts';
import { tablesWith } from '../../values/tables.ts';
import { INSERT_LIST_ROWS, LIST_CASES } from '../rig/data/list-cases.ts';
import {
  addCitus,
  CITUS_WORKERS,
  makeCitusDatabase,
  makeCoordinatorDatabase,
  onCitus,
} from '../rig/database/citus.ts';
import {
  checkListPlan,
  listPlansOnCitus,
  type Plan,
  rowsOfMerchantReference,
} from '../rig/database/list-plans.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { someEntry } from '../rig/store/audit.ts';
import { citusHarness } from '../rig/store/store-harness.ts';
import { apiKey } from './api-keys-contract.ts';
import { changesContract } from './changes-contract.ts';
import { storeContract } from './contract.ts';
import { copyContract } from './copy-contract.ts';
import { exportsContract } from './exports-contract.ts';
import { sealsContract } from './seals-contract.ts';
import { searchContract } from './search-contract.ts';
import { totalsContract } from './totals-contract.ts';
import { webhooksContract } from './webhooks-contract.ts';

/** PostgreSQL plans each of the first five uses of a prepared statement. Later, it may use a generic plan. */
const PLANNED_EACH_TIME = 5;

onCitus('the store on Citus', () => {
  storeContract('Citus', citusHarness);
  changesContract('Citus', citusHarness);
  totalsContract('Citus', citusHarness);
  exportsContract('Citus', citusHarness);
  searchContract('Citus', citusHarness);
  sealsContract('Citus', citusHarness);
  webhooksContract('Citus', citusHarness);
  copyContract('Citus', citusHarness);

  test('programs that open a database at once distribute it together, and keep its keys and idempotency keys', async () => {
    const url = await makeCoordinatorDatabase();
    const { store } = await openStore(url, Date.now);
    await store.createApiKey(apiKey('key_0000000000000001'), someEntry());
    await store.close();
    await queryPostgres(
      url,
      `INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ('store-1', 'one', '${'b'.repeat(64)}', 'x')`,
    );
    await addCitus(url);
    const opened = await Promise.all(Array.from({ length: 4 }, () => openStore(url, Date.now)));
    try {
      for (const one of opened) assert.equal((await one.store.listApiKeys(null, null, 100)).length, 1);
      const distributed = await queryPostgres(
        url,
        `SELECT count(*)::int AS tables FROM pg_dist_partition WHERE partmethod = 'h'`,
      );
      const { length } = tablesWith(({ onCitus }) => onCitus === 'distributed');
      assert.deepEqual(distributed, [{ tables: length }]);
      const kept = await queryPostgres(url, 'SELECT account, key FROM idempotency_keys');
      assert.deepEqual(kept, [{ account: 'store-1', key: 'one' }]);
    } finally {
      for (const one of opened) await one.store.close();
    }
  });

  test('the worker of each account is known, also after shards were isolated and moved', async () => {
    const url = await makeCitusDatabase();
    await (await openStore(url, Date.now)).store.close();
    const accounts = Array.from({ length: 500 }, (_, nth) => `account-${nth}`);
    const check = async () => {
      const placed = await queryPostgres(
        url,
        `SELECT account, nodename || ':' || nodeport AS worker FROM unnest($1::text[]) AS account
         JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('transactions', account)
         JOIN pg_dist_node USING (groupid)`,
        [accounts],
      );
      const shards = await readShards(async ({ text }) =>
        (await queryPostgres(url, text)).map(
          ({ from, worker, probe_hash: hash }): ShardRow => [Number(from), String(worker), Number(hash)],
        ),
      );
      assert.equal(placed.length, accounts.length);
      for (const { account, worker } of placed)
        assert.equal(workerOf(shards, String(account)), worker, String(account));
      return placed;
    };
    await check();
    await queryPostgres(
      url,
      `SELECT isolate_tenant_to_new_shard('transactions', $1::text, 'CASCADE', 'block_writes')`,
      [accounts[0]],
    );
    const placed = await check();
    const from = placed.find(({ account }) => account === accounts[0])?.['worker'];
    const to = CITUS_WORKERS.find((worker) => worker !== from);
    if (to !== undefined) {
      const hostAndPort = (worker: unknown) => String(worker).split(':');
      await queryPostgres(
        url,
        `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('transactions', $1::text), $2, $3::int, $4, $5::int, 'block_writes')`,
        [accounts[0], ...hostAndPort(from), ...hostAndPort(to)],
      );
      const moved = (await check()).find(({ account }) => account === accounts[0]);
      assert.equal(moved?.['worker'], to);
    }
  });

  test('every list on Citus is one task with backward scans of its index on one worker, whatever the statistics of the workers', async () => {
    const url = await makeCitusDatabase();
    await (await openStore(url, Date.now)).store.close();
    await queryPostgres(url, INSERT_LIST_ROWS);
    await queryPostgres(url, 'VACUUM ANALYZE transactions');
    await queryPostgres(
      url,
      `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
       SELECT 'large', n, 'new_' || n, 'order-5', 'completed', n, 'GBP', n, 1000000 + n, 0, n FROM generate_series(1, 4000) AS n`,
    );
    const client = new pg.Client({
      connectionString: url,
      options: optionsOf(LIST_SETTINGS_ON_CITUS),
    });
    await client.connect();
    try {
      const mostRows = await rowsOfMerchantReference(client);
      let checked = 0;
      const merged = new Set<string>();
      for await (const { shape, name, plan } of listPlansOnCitus(client)) {
        checkListPlan(shape, planOfWorker(plan), mostRows);
        if (isMerged(shape)) merged.add(name);
        checked++;
      }
      assert.equal(checked, LIST_CASES.length);
      const { rows } = await client.query(
        'SELECT name, generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements',
      );
      for (const { name, generic, custom } of rows) {
        if (merged.has(name)) assert.equal(generic, 0, name);
        else assert.ok(custom <= PLANNED_EACH_TIME, name);
      }
      const isRepeated = ({ generic, custom }: (typeof rows)[number]) => generic + custom > PLANNED_EACH_TIME;
      assert.ok(rows.some((row) => merged.has(row.name) && isRepeated(row)));
      assert.ok(rows.some((row) => !merged.has(row.name) && isRepeated(row)));
    } finally {
      await client.end();
    }
  });
});

function planOfWorker(plan: Plan): Plan {
  const { Job: job } = plan['Distributed Query'] as { Job: Record<string, unknown> };
  const shown = JSON.stringify(job, null, 1);
  assert.equal(job['Task Count'], 1, shown);
  const [task] = job['Tasks'] as { 'Remote Plan': [[{ Plan: Plan }]] }[];
  return (task as { 'Remote Plan': [[{ Plan: Plan }]] })['Remote Plan'][0][0].Plan;
}
