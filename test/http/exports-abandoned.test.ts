import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { listen } from '../rig/http/connection.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';
const KEY_LIFETIME_MS = 60_000;
const CSV = '/v1/transactions.csv';
/** Enough rows that reading them takes far more than 100 turns of the event loop. */
const ROWS = Array.from({ length: 60_000 }, (_, index) =>
  transaction(ACCOUNT, `t${String(index).padStart(6, '0')}`, { createdAtMs: DAY('2026-03-01') + index }),
);
/** An export without rows that still reads everything, so nothing is sent before its end. */
const EMPTY = `${CSV}?status=pending&recordedAt=true`;

/** An app that counts the reads of a complete export, and the reads since then. */
async function appWithExport(t: TestContext) {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  await record(store, ROWS);
  const reads = { count: 0 };
  const app = await buildTestApp({
    clock,
    store: storeWith(store, {
      listNumbered: (query, limit) => {
        reads.count++;
        return store.listNumbered(query, limit);
      },
    }),
  });
  const { port } = await listen(t, app.server);
  const key = await app.makeKey(ACCOUNT, { expiresAtMs: clock.now() + KEY_LIFETIME_MS });
  await app.send(EMPTY, { key });
  const readsOfWhole = reads.count;
  reads.count = 0;

  /** Begins the export. Calls back with the connection while the service reads. */
  const begin = async (leave: (socket: Socket) => void) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    socket.write(`GET ${EMPTY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    while (reads.count < 5) await nextTurn();
    leave(socket);
  };
  /** The outcome in the second export's log line. */
  const outcome = async () => {
    for (;;) {
      const lines = app.logged.map((line) => JSON.parse(line));
      const ended = lines.filter(({ msg, exportId }) => msg === 'request' && exportId !== undefined);
      if (ended.length === 2) return ended[1].outcome;
      await nextTurn();
    }
  };
  return { app, reads, readsOfWhole, begin, outcome };
}

describe('an export before its first byte is sent', () => {
  for (const [how, leave] of [
    ['closes the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes its side of the connection', (socket: Socket) => socket.end()],
  ] as const) {
    test(`is not read any further after its caller ${how}`, async (t) => {
      const { reads, readsOfWhole, begin, outcome } = await appWithExport(t);
      await begin(leave);
      assert.equal(await outcome(), 'closed');
      const { count } = reads;
      for (let turn = 0; turn < 1000; turn++) await nextTurn();
      assert.ok(reads.count <= count + 1 && reads.count < readsOfWhole / 2, `${reads.count} reads`);
    });
  }

  test('is not read any further after its key has expired', async (t) => {
    const { app, reads, readsOfWhole, begin, outcome } = await appWithExport(t);
    await begin(() => app.clock.advance(KEY_LIFETIME_MS));
    assert.equal(await outcome(), 'key_refused');
    assert.ok(reads.count < readsOfWhole / 2, `${reads.count} reads`);
  });
});
