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
    ['currency=EUR%20', 'invalid_currency', 'currency', /did you mean EUR\?/],
    ['from=2026-02-29', 'invalid_date', 'from', /2026-02-29/],
    ['to=%D9%A2026-01-01', 'invalid_date', 'to', /YYYY-MM-DD/],
    ['from=2026-02-02&to=2026-02-01', 'date_range_inverted', 'from', /is after to/],
    [
      'from=2026-01-01&to=2026-04-02',
      'date_range_too_long',
      'to',
      /2026-04-02\) is 91 days after .* at most 90 .* at most 2026-04-01\./,
    ],
    ['merchantReference=gr%F6%DFer', 'invalid_merchant_reference', 'merchantReference', /not UTF-8/],
    ['merchantReference=a&merchantReference=a', 'duplicate_parameter', 'merchantReference', /more than once/],
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
