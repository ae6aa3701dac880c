import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { KeyedConnections } from '../../../src/db/postgres/driver/index.ts';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { createMetrics } from '../../../src/service/metrics.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { heldSessions } from '../../rig/database/held-sessions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';

test('reports the size of each pool of connections, the open connections and the queries in flight', async () => {
  const url = await makeMigratedDatabase();
  const { store } = await openStore(url, Date.now, { records: true });
  try {
    const metrics = createMetrics();
    metrics.watchConnections(store);
    assert.deepEqual(store.connectionUse()?.requests, { size: 2, open: 0, inFlight: 0 });
    const pinged = store.ping();
    assert.equal(store.connectionUse()?.requests?.inFlight, 1);
    await pinged;
    await store.ping();
    const { requests, recordings, replicas } = store.connectionUse() ?? {};
    assert.ok(requests !== undefined && requests.open >= 1 && requests.inFlight === 0);
    assert.deepEqual([recordings, replicas], [{ size: 2, open: 0, inFlight: 0 }, undefined]);
    for (const purpose of ['slow-requests', 'held-recordings', 'background'] as const)
      assert.deepEqual(store.connectionUse()?.[purpose], { size: 2, open: 0, inFlight: 0 });
    const { body } = await metrics.text();
    assert.match(body, /^transactions_database_connections\{purpose="requests"\} 2$/m);
    assert.match(body, /^transactions_database_connections_open\{purpose="requests"\} [12]$/m);
    assert.match(body, /^transactions_database_queries_in_flight\{purpose="recordings"\} 0$/m);
  } finally {
    await store.close();
  }
  assert.deepEqual(store.connectionUse()?.requests, { size: 2, open: 0, inFlight: 0 });
});

let url = '';
const begin = heldSessions(() => url);

test('concurrent look-ups of one key use one slow statement, look-ups of other keys use their own, and lists do not wait for them', async (t) => {
  url = await makeMigratedDatabase();
  const { store } = await openStore(url, Date.now, { timeoutMs: 20_000, connections: 2 });
  try {
    const slowLookUps = () => store.connectionUse()?.['slow-requests']?.inFlight;
    const locked = await begin('LOCK TABLE api_keys');
    const first = store.findApiKey('0'.repeat(64));
    while (slowLookUps() !== 1) await delay(10);
    const many = Array.from({ length: 200 }, () => store.findApiKey('1'.repeat(64)));
    many.push(store.findApiKey('2'.repeat(64)));
    const settled = Promise.allSettled([first, ...many]);
    assert.equal(slowLookUps(), 3);
    const query = { account: 'acct-1', filter: NO_FILTER, after: null };
    assert.deepEqual((await store.listTransactions(query, 11)).transactions, []);
    await locked.query('COMMIT');
    for (const one of await settled) assert.deepEqual(one, { status: 'fulfilled', value: undefined });
    const slow = t.mock.method(KeyedConnections.prototype, 'run');
    for (const digit of ['0', '1', '3']) await store.findApiKey(digit.repeat(64));
    assert.equal(slow.mock.callCount(), 0);
  } finally {
    await store.close();
  }
});
