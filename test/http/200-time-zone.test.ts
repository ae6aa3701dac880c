import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { MAX_COMPARED_BY_PAYMENT } from '../../src/ledger/totals/totals-by-payment.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const LIST = '/v1/transactions';
const BERLIN = 'timeZone=Europe/Berlin';

const row = (reference: string, time: string, paidAt = time) =>
  transaction('store-1', reference, {
    createdAtMs: Date.parse(time),
    paidAtMs: Date.parse(paidAt),
    amountMinor: 100,
  });

describe('days of a time zone', () => {
  let app: TestApp;
  let key: string;
  beforeEach(async () => {
    app = await buildTestApp();
    await record(app.store, [
      row('before', '2026-03-28T22:59:59.999Z'),
      row('first', '2026-03-28T23:00:00.000Z'),
      row('last', '2026-03-29T21:59:59.999Z', '2026-03-30T21:59:59.999Z'),
      row('after', '2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'),
    ]);
    key = await app.makeKey('store-1');
  });

  test('200: an account reads its totals by day of a time zone as often at once as those by day of UTC', async () => {
    const read = async () => (await app.send(`/v1/totals?by=day&${BERLIN}`, { key })).status;
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 12 }, read))), new Set([200]));
  });

  test('200: an export has what was paid on some days as of its change, and its sums', async () => {
    const open = row('open', '2026-03-29T10:00:00.000Z', '2026-03-30T10:00:00.000Z');
    await record(app.store, [
      row('earlier', '2026-01-02T00:00:00.000Z', '2026-03-29T22:00:00.000Z'),
      row('later', '2026-04-02T00:00:00.000Z', '2026-03-30T21:59:59.999Z'),
      { ...open, status: 'pending', paidAtMs: null },
    ]);
    const paid = `paidFrom=2026-03-30&paidTo=2026-03-30&${BERLIN}`;
    const { text, headers } = await app.send(`${LIST}.csv?${paid}`, { key });
    const rows = text.trimEnd().split('\r\n').slice(1);
    assert.deepEqual(
      rows.map((line) => line.slice('store-1.'.length, line.indexOf(','))),
      ['later', 'last', 'earlier'],
    );
    const manifest = (await app.send(`/v1/exports/${headers['export-id']}`, { key })).body;
    assert.deepEqual(
      [manifest.state, manifest.filters, manifest.totals],
      [
        'complete',
        { timeZone: 'Europe/Berlin', paidFrom: '2026-03-30', paidTo: '2026-03-30' },
        [{ currencyCode: 'EUR', status: 'completed', count: 3, amount: '3.00' }],
      ],
    );
    await record(app.store, [open]);
    for (const [query, code] of [
      ['paidFrom=2026-03-30&paidTo=2026-03-29', 'date_range_inverted'],
      ['paidTo=30.3.2026', 'invalid_date'],
    ])
      assert.equal((await app.send(`${LIST}.csv?${query}`, { key })).body.code, code, query);
    for (const [query, count] of [
      [paid, 4],
      [`${paid}&from=2026-03-29&to=2026-03-29`, 2],
      [`${paid}&status=pending`, 0],
      ['paidFrom=2026-05-01', 0],
      ['paidTo=2026-03-28', 2],
    ] as const) {
      const lines = (await app.send(`${LIST}.ndjson?${query}`, { key })).text.trimEnd().split('\n');
      assert.equal(JSON.parse(lines.at(-1) ?? '').export.rows, count, query);
      assert.equal(lines.length - 1, count, query);
      // The totals of the same days are the sums of the file.
      const totals = (await app.send(`/v1/totals?${query}`, { key })).body;
      assert.deepEqual(totals.data, JSON.parse(lines.at(-1) ?? '').export.totals, query);
      assert.equal(totals.asOf, JSON.parse(lines.at(-1) ?? '').export.asOf);
    }
    const days = (
      await app.send(`/v1/totals?paidFrom=2026-03-28&paidTo=2026-03-30&by=day&${BERLIN}`, { key })
    ).body.data;
    assert.deepEqual(
      days.map(({ day, count }: { day: string; count: number }) => [day, count]),
      [
        ['2026-03-28', 1],
        ['2026-03-29', 1],
        ['2026-03-30', 4],
      ],
    );
  });

  test('200: totals by month of payment, also where the clocks of a time zone differ from UTC by seconds', async () => {
    await record(app.store, [
      row('december', '1960-01-01T00:44:29.999Z'),
      row('january', '1960-01-01T00:44:30.000Z'),
      row('created-later', '1960-03-01T00:00:00.000Z', '1960-01-31T12:00:00.000Z'),
    ]);
    const query = 'paidTo=1969-12-31&by=month&timeZone=Africa/Monrovia';
    const total = { currencyCode: 'EUR', status: 'completed' };
    assert.deepEqual((await app.send(`/v1/totals?${query}`, { key })).body.data, [
      { month: '1959-12', ...total, count: 1, amount: '1.00' },
      { month: '1960-01', ...total, count: 2, amount: '2.00' },
    ]);
  });

  test('400 date_range_too_long: an export of days of paidAt that would compare too many transactions', async () => {
    const total = {
      day: null,
      currencyCode: 'EUR',
      status: 'completed',
      count: MAX_COMPARED_BY_PAYMENT,
      amountMinor: 1n,
    };
    const { store } = app;
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
});
