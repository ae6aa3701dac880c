import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedSum } from '../../src/ledger/totals/totals.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { appOnFaultyStore, hang } from '../rig/store/faulty-store.ts';
import { storeWith } from '../rig/store/store-with.ts';

const TOTALS = '/v1/totals';

test('200: totals of a merchantReference are those of its transactions, with the other filters', async () => {
  const app = await buildTestApp();
  const order = { merchantReference: 'order-1' };
  await record(app.store, [
    transaction('store-1', 'a', { ...order, amountMinor: 1250, createdAtMs: DAY('2026-03-01') }),
    transaction('store-1', 'b', { ...order, status: 'pending', createdAtMs: DAY('2026-03-02') }),
    transaction('store-1', 'c', { ...order, currencyCode: 'USD', amountMinor: 5 }),
    transaction('store-1', 'd', { merchantReference: 'order-2' }),
    transaction('store-2', 'e', order),
  ]);
  const key = await app.makeKey('store-1');
  const read = async (query: string) => {
    const { status, body } = await app.send(`${TOTALS}?merchantReference=order-1${query}`, { key });
    assert.deepEqual([status, body.asOf], [200, 4]);
    return body.data.map(
      (row: Record<string, string>) => `${row['currencyCode']} ${row['status']} ${row['amount']}`,
    );
  };
  assert.deepEqual(await read(''), ['EUR completed 12.50', 'EUR pending 12.50', 'USD completed 0.05']);
  assert.deepEqual(await read('&status=completed&currency=EUR'), ['EUR completed 12.50']);
  assert.deepEqual(await read('&from=2026-03-02&to=2026-03-02&currency=EUR'), ['EUR pending 12.50']);
  assert.deepEqual(await read('&timeZone=Asia/Tokyo&to=2026-02-28'), []);
});

test('200: the log line has asOf, and the number of rows, and no filter', async () => {
  const app = await buildTestApp();
  await record(app.store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
  const key = await app.makeKey('store-1');
  await app.send(`${TOTALS}?currency=EUR&from=2026-03-01`, { key });
  const line = JSON.parse(app.logged.at(-1) ?? '');
  assert.deepEqual([line.route, line.asOf, line.count], [TOTALS, 2, 1]);
  assert.doesNotMatch(JSON.stringify(line), /EUR|2026-03-01/);
});

/** An account with so many transactions of an order that they are summed in many reads, which are answered one by one. */
async function appWithSlowReads() {
  const { store } = await buildTestApp();
  const reads: { answer: (sum: ListedSum) => void }[] = [];
  let requested = Promise.withResolvers<void>();
  const slow = storeWith(store, {
    sumListed: () => {
      const read = Promise.withResolvers<ListedSum>();
      reads.push({ answer: read.resolve });
      requested.resolve();
      requested = Promise.withResolvers();
      return read.promise;
    },
  });
  const config = { ...testConfig, requestTimeoutMs: 60_000 };
  const app = await buildTestApp({ store: slow, config });
  const read = async (nth: number) => {
    while (reads.length <= nth) await requested.promise;
    return reads[nth] as (typeof reads)[number];
  };
  return { app, read, reads };
}

const OF_ORDER = `${TOTALS}?merchantReference=order-1`;
const READ: ListedSum = {
  totals: [
    { partStartMs: null, currencyCode: 'EUR', status: 'completed', count: 500, amountMinor: 10n ** 18n },
  ],
  created: null,
  next: { createdAtMs: 0, reference: 'a' },
};
/** Reads before those that take a place. */
const QUICK_READS = 4;

test('200: many transactions are summed in many reads, and 503 for more of such totals than a few at once', async () => {
  const { app, read, reads } = await appWithSlowReads();
  const key = await app.makeKey('store-1');
  const long = Array.from({ length: 4 }, () => app.send(OF_ORDER, { key }));
  const places = long.length * (QUICK_READS + 1);
  for (let nth = 0; nth < places - long.length; nth++) (await read(nth)).answer(READ);
  await read(places - 1);
  const refused = app.send(OF_ORDER, { key });
  for (let nth = places; nth < places + QUICK_READS; nth++) (await read(nth)).answer(READ);
  const { status, body } = await refused;
  assert.deepEqual([status, body.code], [503, 'unavailable']);
  assert.match(body.detail, /already sums many transactions/);
  for (let nth = places - long.length; nth < places; nth++) (await read(nth)).answer({ ...READ, next: null });
  const total = { currencyCode: 'EUR', status: 'completed', count: 2500, amount: `${5n * 10n ** 16n}.00` };
  for (const { status, body } of await Promise.all(long))
    assert.deepEqual([status, body], [200, { data: [total], asOf: 0, asOfId: null }]);
  assert.equal(reads.length, places + QUICK_READS);
});

for (const leave of ['resetAndDestroy', 'end'] as const) {
  test(`a caller that closes its connection ends adding up (${leave})`, { timeout: GIVE_UP_MS }, async () => {
    const { app, read, reads } = await appWithSlowReads();
    const key = await app.makeKey('store-1');
    const accepted = once(app.server.server, 'connection');
    const { port } = new URL(await app.server.listen({ host: '127.0.0.1', port: 0 }));
    const caller = connect(Number(port), '127.0.0.1');
    caller.on('error', () => {});
    caller.write(`GET ${OF_ORDER} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const [socket] = (await accepted) as [Socket];
    const noticed = new Promise((resolve) => socket.once(leave === 'end' ? 'end' : 'close', resolve));
    for (let nth = 0; nth < QUICK_READS; nth++) (await read(nth)).answer(READ);
    const last = await read(QUICK_READS);
    caller[leave]();
    await noticed;
    last.answer(READ);
    while (!app.logged.some((line) => line.includes('"aborted":true'))) await nextTurn();
    assert.equal(reads.length, QUICK_READS + 1);
    assert.doesNotMatch(app.logged.join(''), /"level":50/);
    await app.server.close();
  });
}

for (const [method, query] of [
  ['readStoredTotals', ''],
  ['sumListed', '?merchantReference=order-1'],
  ['readNonce', '?merchantReference=order-1'],
] as const) {
  test(`503 unavailable: a ${method} that never answers ends at the time limit of the request`, async () => {
    const config = { ...testConfig, requestTimeoutMs: 50 };
    const { app, faults } = await appOnFaultyStore([method], hang, { config });
    await record(app.store, [transaction('store-1', 'a')]);
    const key = await app.makeKey('store-1');
    faults.failing = true;
    const { status, body } = await app.send(TOTALS + query, { key });
    assert.deepEqual([status, body.code], [503, 'unavailable']);
    faults.failing = false;
    assert.equal((await app.send(TOTALS + query, { key })).status, 200);
  });
}
