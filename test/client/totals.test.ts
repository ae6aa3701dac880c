import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArgumentError, type Totals, toMinorUnits } from '../../client/src/index.ts';
import { answering } from '../rig/http/client.ts';

const ROW = { currencyCode: 'EUR', status: 'completed', count: 3, amount: '30.00' };
const DAY_ROW = { day: '2026-03-01', ...ROW };

test('totals come with their sequence number, and exactly beyond 64 bits', async () => {
  const body: Totals = {
    data: [ROW, { currencyCode: 'XTS', status: 'pending', count: 1, amount: '184467440737095516161.05' }],
    asOf: 25,
    asOfId: 'chg_25',
  };
  const { client, requests } = answering(200, body);
  const totals = await client.totals();
  assert.deepEqual(totals, body);
  assert.equal(toMinorUnits(totals.data[1]?.amount ?? ''), 18_446_744_073_709_551_616_105n);
  assert.deepEqual(requests, ['/v1/totals']);
  const nothing = answering(200, { data: [], asOf: 0, asOfId: null });
  assert.deepEqual(await nothing.client.totals({}), { data: [], asOf: 0, asOfId: null });
});

test('all parameters are sent, and undefined ones are not', async () => {
  const { client, requests } = answering(200, { data: [DAY_ROW], asOf: 1, asOfId: 'chg_1' });
  await client.totals({
    status: 'completed',
    currency: 'EUR',
    from: '2020-01-01',
    to: '2026-12-31',
    by: 'day',
  });
  await client.totals({ by: 'day', status: undefined });
  assert.deepEqual(requests, [
    '/v1/totals?status=completed&currency=EUR&from=2020-01-01&to=2026-12-31&by=day',
    '/v1/totals?by=day',
  ]);
});

test('wrong arguments reject, and nothing is sent', async () => {
  const { client, requests } = answering(200, { data: [], asOf: 0, asOfId: null });
  await assert.rejects(
    client.totals({ reference: 'a' } as never),
    /The filters are status, currency, from, to, timeZone, merchantReference, paidFrom, paidTo, by\./,
  );
  await assert.rejects(client.totals({ curency: 'EUR' } as never), /did you mean currency\?/);
  await assert.rejects(client.totals({ from: new Date() } as never), ArgumentError);
  await assert.rejects(client.totals({ by: 1 } as never), ArgumentError);
  await assert.rejects(client.totals(null as never), ArgumentError);
  await assert.rejects(client.totals({}, { limit: 1 } as never), TypeError);
  assert.deepEqual(requests, []);
});
