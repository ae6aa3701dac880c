import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectToPrimary, parsePostgresUrl } from '../../../src/db/postgres/driver/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { completed, pending, shownChanges } from '../../rig/data/changes.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { queryPostgres } from '../../rig/database/postgres.ts';

const TIMEOUT_MS = 30_000;

let url: string;
const opened: Store[] = [];

async function open(): Promise<Store> {
  const { store } = await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 });
  opened.push(store);
  return store;
}

before(async () => {
  url = await makeMigratedDatabase();
});
after(async () => {
  for (const store of opened) await store.close();
});

test('the numbers of an account whose head was lost go on after the largest one', async () => {
  const store = await open();
  const first = pending('lost', 'first');
  await record(store, [transaction('lost', 'zeroth'), first]);
  await record(store, [completed(first)]);
  const shown = await shownChanges(store, 'lost');
  await queryPostgres(url, `DELETE FROM accounts WHERE account = 'lost'`);
  await record(store, [transaction('lost', 'second')]);
  assert.deepEqual(await shownChanges(store, 'lost'), [...shown, 'second new completed']);
});

test('each statement of a recording sees what was committed before it, also where transactions are serializable by default', async () => {
  const name = new URL(url).pathname.slice(1);
  await queryPostgres(url, `ALTER DATABASE ${name} SET default_transaction_isolation = serializable`);
  const { client } = await connectToPrimary(parsePostgresUrl(url), {
    statementTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
    lockTimeoutMs: TIMEOUT_MS,
    idleInTransactionTimeoutMs: TIMEOUT_MS,
  });
  try {
    const { rows } = await client.query('SHOW transaction_isolation');
    assert.deepEqual(rows, [{ transaction_isolation: 'read committed' }]);
  } finally {
    await client.end();
  }
});
