import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../../../src/db/postgres/driver/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { completed, pending } from '../../rig/data/changes.ts';
import { record } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { queryPostgres } from '../../rig/database/postgres.ts';

test('finding damaged totals takes one more database transaction for each account', async (t) => {
  const url = await makeMigratedDatabase();
  const { store } = await openStore(url, Date.now, { timeoutMs: 60_000, connections: 1 });
  t.after(() => store.close());
  const accounts = ['acct-1', 'acct-2', 'acct-3'];
  const waiting = accounts.flatMap((account) =>
    Array.from({ length: 50 }, (_, nth) => pending(account, `r${nth}`)),
  );
  await record(store, waiting);
  await queryPostgres(url, "UPDATE daily_totals SET count = 0 WHERE account <> 'acct-2'");
  const sent = t.mock.method(Connection.prototype, 'transact');
  const results = await store.record(waiting.map(completed));
  assert.deepEqual(
    new Set(results.map(({ outcome }, nth) => `${waiting[nth]?.account} ${outcome}`)),
    new Set(['acct-1 failed', 'acct-2 changed', 'acct-3 failed']),
  );
  assert.equal(sent.mock.callCount(), 3);
});
