import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../rig/app.ts';
import { storeWith } from '../rig/store-with.ts';

const TOTALS = '/v1/totals';

const FAULTY: [query: string, parameter: string, code: string][] = [
  ['status=paid', 'status', 'invalid_status'],
  ['status=', 'status', 'invalid_status'],
  ['currency=eur', 'currency', 'invalid_currency'],
  ['currency=DEM', 'currency', 'invalid_currency'],
  ['from=2026-02-30', 'from', 'invalid_date'],
  ['to=%00', 'to', 'invalid_date'],
  ['from=2026-04-01&to=2026-03-31', 'from', 'date_range_inverted'],
  ['by=month', 'by', 'invalid_by'],
  ['by=', 'by', 'invalid_by'],
  ['by=Day', 'by', 'invalid_by'],
  ['by=day&by=day', 'by', 'duplicate_parameter'],
  ['merchantReference=order-1', 'merchantReference', 'unknown_parameter'],
  ['cursor=x', 'cursor', 'unknown_parameter'],
  ['groupBy=day', 'groupBy', 'unknown_parameter'],
];

for (const [query, parameter, code] of FAULTY) {
  test(`400 ${code}: ${query}`, async () => {
    const app = await buildTestApp();
    const { status, body } = await app.send(`${TOTALS}?${query}`, { key: await app.makeKey('store-1') });
    assert.deepEqual([status, body.code], [400, code]);
    assert.deepEqual(body.errors, [{ parameter, code, detail: body.detail }]);
  });
}

test('400 invalid_request: all faults are reported together, and nothing is read', async () => {
  const { store } = await buildTestApp();
  const refuse = () => assert.fail('the store was queried');
  const unread = storeWith(store, { readRollUp: refuse, sumChanges: refuse });
  const app = await buildTestApp({ store: unread });
  const query = 'status=x&currency=eur&from=2026-05-01&to=2026-04-01&by=week&by=day&curency=EUR&limt=5';
  const { status, body } = await app.send(`${TOTALS}?${query}`, { key: await app.makeKey('store-1') });
  assert.deepEqual([status, body.code], [400, 'invalid_request']);
  assert.deepEqual(
    body.errors.map(({ parameter, code }: { parameter: string; code: string }) => `${parameter} ${code}`),
    [
      'status invalid_status',
      'currency invalid_currency',
      'by duplicate_parameter',
      'curency unknown_parameter',
      'limt unknown_parameter',
      'from date_range_inverted',
    ],
  );
});

test('400: a parameter after more parameters than are read is an error', async () => {
  const app = await buildTestApp();
  const query = `${'x=1&'.repeat(60)}by=day`;
  const { status, body } = await app.send(`${TOTALS}?${query}`, { key: await app.makeKey('store-1') });
  assert.deepEqual([status, body.code], [400, 'invalid_request']);
});

test('401: totals need a key', async () => {
  const app = await buildTestApp();
  assert.equal((await app.send(TOTALS)).status, 401);
});
