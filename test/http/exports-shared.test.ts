import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EXPORT_READER_TIMEOUT_MS } from '../../src/http/server/transport-limits.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { listen } from '../rig/http/connection.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const CSV = '/v1/transactions.csv';
/** Of accounts whose exports do not end. */
const HOGS = 15;
/** The most that Linux gives the send buffer of a connection, unless it is set up otherwise (net.ipv4.tcp_wmem). */
const SEND_BUFFER_BYTES = 4 * 2 ** 20;
const SLOW_BYTES_PER_SECOND = 5000;

test('200: 15 accounts with two exports each leave places for others', async (t) => {
  const { store } = await openStore(IN_MEMORY_URL, testClock().now);
  let hanging = 0;
  const app = await buildTestApp({
    store: storeWith(store, {
      listNumbered: (query, limit) => {
        if (!query.account.startsWith('hog-')) return store.listNumbered(query, limit);
        hanging++;
        return new Promise(() => {});
      },
    }),
  });
  const { open } = await listen(t, app.server);
  for (let hog = 0; hog < HOGS; hog++) {
    await record(store, [transaction(`hog-${hog}`, 'a')]);
    const key = await app.makeKey(`hog-${hog}`);
    for (let count = 0; count < 2; count++)
      open().write(`GET ${CSV} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    while (hanging < 2 * (hog + 1)) await nextTurn();
  }
  await record(store, [transaction('store-1', 'a')]);
  const { status, text } = await app.send(CSV, { key: await app.makeKey('store-1') });
  assert.deepEqual([status, text.split('\r\n').length], [200, 3]);
});

test('a caller that reads slowly but steadily is not cut, also if the kernel holds much for it', () => {
  // Node writes again when a third of the buffer is free.
  const longestPauseMs = (SEND_BUFFER_BYTES / 3 / SLOW_BYTES_PER_SECOND) * 1000;
  assert.ok(EXPORT_READER_TIMEOUT_MS > longestPauseMs, `${longestPauseMs} ms`);
});
