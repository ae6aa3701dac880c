import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedSum } from '../../src/ledger/totals/total.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const TOTALS = '/v1/totals';

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
const QUICK_READS = 4;

test('200: many transactions are summed in many reads; 503: too many such totals at once', async () => {
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
  assert.match(body.detail, /already computes as many large totals/);
  for (let nth = places - long.length; nth < places; nth++) (await read(nth)).answer({ ...READ, next: null });
  const total = { currencyCode: 'EUR', status: 'completed', count: 2500, amount: `${5n * 10n ** 16n}.00` };
  for (const { status, body } of await Promise.all(long))
    assert.deepEqual([status, body], [200, { data: [total], asOf: 0, asOfId: null }]);
  assert.equal(reads.length, places + QUICK_READS);
});
