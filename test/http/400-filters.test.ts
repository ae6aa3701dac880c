import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { buildTestApp, type TestApp } from '../rig/app.ts';

describe('400', () => {
  let app: TestApp;
  let key: string;
  before(async () => {
    app = await buildTestApp();
    key = await app.makeKey('store-1');
  });

  const refused = async (query: string) => {
    const { status, body } = await app.send(`/v1/transactions?${query}`, { key });
    assert.equal(status, 400, query);
    return body;
  };

  for (const [query, code, parameter, detail] of [
    ['status=paid', 'invalid_status', 'status', /Recognised: pending, completed\./],
    ['status=Pending', 'invalid_status', 'status', /did you mean pending\?/],
    ['status=', 'invalid_status', 'status', /empty/],
    ['status=%zz', 'invalid_status', 'status', /%zz/],
    ['status=%70ending%20', 'invalid_status', 'status', /did you mean pending\?/],
    ['status', 'invalid_status', 'status', /empty/],
    ['status[]=pending', 'unknown_parameter', 'status[]', /did you mean status\?/],
    ['from=2026-02-01;to=2026-02-02', 'invalid_date', 'from', /YYYY-MM-DD/],
    ['status=pending%00', 'invalid_status', 'status', /pending/],
    ['currency=usd', 'invalid_currency', 'currency', /did you mean USD\?/],
    ['currency=US', 'invalid_currency', 'currency', /three-letter/],
    ['currency=ABC', 'invalid_currency', 'currency', /not an active ISO 4217 code/],
    ['currency=DEM', 'invalid_currency', 'currency', /not an active ISO 4217 code/],
    ['currency=', 'invalid_currency', 'currency', /empty/],
    ['currency=EUR%20', 'invalid_currency', 'currency', /did you mean EUR\?/],
    ['from=2026-02-29', 'invalid_date', 'from', /2026-02-29/],
    ['from=2026-2-1', 'invalid_date', 'from', /YYYY-MM-DD/],
    ['from=', 'invalid_date', 'from', /empty/],
    ['to=20260201', 'invalid_date', 'to', /YYYY-MM-DD/],
    ['to=2026-02-01T00:00:00Z', 'invalid_date', 'to', /YYYY-MM-DD/],
    ['to=+2026-02-01', 'invalid_date', 'to', /YYYY-MM-DD/],
    ['to=0000-01-01', 'invalid_date', 'to', /0000-01-01/],
    ['to=%D9%A2026-01-01', 'invalid_date', 'to', /YYYY-MM-DD/],
    ['from=2026-02-02&to=2026-02-01', 'date_range_inverted', 'from', /is after to/],
    [
      'from=2026-01-01&to=2026-04-02',
      'date_range_too_long',
      'to',
      /91 days long; at most 90 .* at most 2026-04-01\./,
    ],
    ['merchantReference=', 'invalid_merchant_reference', 'merchantReference', /empty/],
    ['merchantReference=gr%F6%DFer', 'invalid_merchant_reference', 'merchantReference', /not UTF-8/],
    ['merchantReference=order%0A1', 'invalid_merchant_reference', 'merchantReference', /control character/],
    ['merchantReference=a&merchantReference=a', 'duplicate_parameter', 'merchantReference', /more than once/],
    ['curency=EUR', 'unknown_parameter', 'curency', /did you mean currency\?/],
    ['Status=pending', 'unknown_parameter', 'Status', /did you mean status\?/],
    ['limit=50', 'unknown_parameter', 'limit', /fixed at 10/],
    ['per_page=50', 'unknown_parameter', 'per_page', /fixed at 10/],
    ['page=2', 'unknown_parameter', 'page', /nextCursor/],
    ['offset=20', 'unknown_parameter', 'offset', /nextCursor/],
    ['__proto__=1', 'unknown_parameter', '__proto__', /not a parameter/],
    ['constructor=1', 'unknown_parameter', 'constructor', /not a parameter/],
    ['=1', 'unknown_parameter', '', /not a parameter/],
    ['status=pending&status=pending', 'duplicate_parameter', 'status', /more than once/],
    ['cursor=', 'cursor_malformed', 'cursor', /nextCursor unchanged/],
  ] as const) {
    test(`${code}: ${query}`, async () => {
      const body = await refused(query);
      assert.equal(body.code, code);
      assert.equal(body.errors.length, 1);
      assert.equal(body.errors[0].parameter, parameter);
      assert.equal(body.errors[0].code, code);
      assert.equal(body.detail, body.errors[0].detail);
      assert.match(body.detail, detail);
    });
  }

  test('invalid_request: all faults of a request are reported together, each with its own code', async () => {
    const body = await refused(
      'status=x&currency=usd&from=2026-13-01&to=tomorrow&cursor=x&limit=5&foo=1&bar=1&bar=2',
    );
    assert.equal(body.code, 'invalid_request');
    assert.deepEqual(
      body.errors.map((fault: { parameter: string; code: string }) => [fault.parameter, fault.code]),
      [
        ['status', 'invalid_status'],
        ['currency', 'invalid_currency'],
        ['from', 'invalid_date'],
        ['to', 'invalid_date'],
        ['limit', 'unknown_parameter'],
        ['foo', 'unknown_parameter'],
        ['bar', 'unknown_parameter'],
        ['cursor', 'cursor_malformed'],
      ],
    );
  });

  test('200: a range of 90 days, one day, one bound, and the ends of the calendar', async () => {
    for (const query of [
      'from=2026-01-01&to=2026-04-01',
      'from=2024-01-01&to=2024-03-31',
      'from=2026-02-01&to=2026-02-01',
      'from=2026-02-01',
      'to=2026-02-01',
      'from=0001-01-01&to=0001-01-01',
      'from=9999-12-31&to=9999-12-31',
      'to=9999-12-31',
      'from=2024-02-29',
      '',
      '&&',
      '%73tatus=%70ending',
    ]) {
      const { status } = await app.send(`/v1/transactions?${query}`, { key });
      assert.equal(status, 200, query);
    }
  });
});
