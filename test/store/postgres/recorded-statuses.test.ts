import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../src/store/open-store.ts';
import { transaction } from '../../rig/data/transactions.ts';
import { makePostgresDatabase, queryPostgres } from '../../rig/database/postgres.ts';
import { whenAvailable } from '../../rig/store/when-available.ts';

test('a status that a restore has lost is stored again by the next recording in it', async (t) => {
  const url = await makePostgresDatabase();
  const { store } = await openStore(url, Date.now);
  t.after(() => store.close());
  const refund = (name: string) => store.record([transaction('store-1', name, { status: 'refunded' })]);
  await refund('a');
  assert.deepEqual(await store.listRecordedStatuses(), ['refunded']);
  await queryPostgres(url, 'TRUNCATE accounts, transactions, daily_totals, recorded_statuses CASCADE');
  const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await queryPostgres(url, `SELECT pg_terminate_backend(pid, 10000) ${others}`);
  assert.equal((await whenAvailable(() => refund('a')))[0]?.outcome, 'recorded');
  assert.deepEqual(await whenAvailable(() => store.listRecordedStatuses()), ['refunded']);
});
