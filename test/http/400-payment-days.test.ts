import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_COMPARED_BY_PAYMENT } from '../../src/ledger/totals/totals.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const LIST = '/v1/transactions';

test('400 date_range_too_long: an export by days of paidAt that would compare too many transactions', async () => {
  const total = {
    day: null,
    currencyCode: 'EUR',
    status: 'completed',
    count: MAX_COMPARED_BY_PAYMENT,
    amountMinor: 1n,
  };
  const { store } = await buildTestApp();
  await record(store, [transaction('store-1', 'a')]);
  const state = { count: MAX_COMPARED_BY_PAYMENT };
  const large = storeWith(store, {
    readStoredTotals: async (query) => ({
      ...(await store.readStoredTotals(query)),
      totals: query.days?.from === null ? [{ ...total, count: state.count }] : [],
    }),
  });
  const other = await buildTestApp({ store: large });
  const otherKey = await other.makeKey('store-1');
  const send = () => other.send(`${LIST}.csv?paidTo=2026-03-30`, { key: otherKey });
  const totals = () => other.send('/v1/totals?paidTo=2026-03-30', { key: otherKey });
  assert.equal((await send()).status, 200);
  assert.equal((await totals()).status, 200);
  state.count++;
  const { status, body } = await send();
  assert.deepEqual([status, body.code, body.errors[0].parameter], [400, 'date_range_too_long', 'paidFrom']);
  assert.match(
    body.detail,
    /compares at most 2000000 transactions, and there are 2000001\. Send from and to, too/,
  );
  const refused = await totals();
  assert.deepEqual([refused.status, refused.body.code], [400, 'date_range_too_long']);
  assert.match(refused.body.detail, /^Totals by days of paidAt compare at most 2000000 transactions/);
  const split = await other.send('/v1/totals?paidTo=2026-03-30&by=day', { key: otherKey });
  assert.deepEqual([split.body.code, split.body.errors[0].parameter], ['date_range_too_long', 'paidFrom']);
  const inverted = await other.send('/v1/totals?paidFrom=2026-03-30&paidTo=2026-03-29', { key: otherKey });
  assert.equal(inverted.body.code, 'date_range_inverted');
});
