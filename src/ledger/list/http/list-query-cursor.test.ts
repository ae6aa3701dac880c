import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACCOUNT,
  CARRIED,
  CONTENT,
  CURSOR,
  cursors,
  EXPIRED,
  faultOf,
  faultsOf,
  problemOf,
  read,
} from '../../../../test/rig/list-query.ts';
import { fc } from '../../../../test/rig/properties.ts';
import { DAY_MS, FIRST_TIMESTAMP_MS, formatDay, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { NO_FILTER } from '../list-filter.ts';
import { nextPath } from './list-query.ts';

test('the cursor alone is enough: it carries the filters and the position', () => {
  const query = { account: ACCOUNT, filter: CONTENT.filter, after: CONTENT.after };
  assert.deepEqual(read({ cursor: CURSOR }), query);
});

test('any filter of a cursor can be sent again with it', () => {
  fc.assert(
    fc.property(fc.subarray(Object.entries(CARRIED)), (repeated) => {
      const query = read({ ...Object.fromEntries(repeated), cursor: CURSOR });
      assert.deepEqual(query, { account: ACCOUNT, filter: CONTENT.filter, after: CONTENT.after });
    }),
  );
});

test('cursor_filter_mismatch: a different or an additional filter sent with a cursor is refused', () => {
  const bare = cursors.seal(ACCOUNT, { ...CONTENT, filter: NO_FILTER });
  const other = {
    status: 'pending',
    currency: 'USD',
    from: '2026-01-02',
    to: '2026-03-30',
    merchantReference: 'order 2',
  };
  for (const [name, value] of Object.entries(other)) {
    const different = faultOf({ [name]: value, cursor: CURSOR });
    assert.deepEqual([different.parameter, different.code], [name, 'cursor_filter_mismatch']);
    assert.match(different.detail, new RegExp(`with another ${name}`));
    assert.match(faultOf({ [name]: value, cursor: bare }).detail, new RegExp(`without ${name}`));
  }
  assert.equal(faultsOf({ ...other, cursor: CURSOR }).length, 5);
});

test("cursor_malformed: altered, cut, invented, empty and another account's cursors get the same error", () => {
  const other = cursors.seal('store-2', CONTENT);
  const details = [CURSOR.slice(0, -1), `${CURSOR}A`, 'x', '', other, 'x'.repeat(513), 'not a cursor'].map(
    (cursor) => {
      const fault = faultOf({ cursor });
      assert.deepEqual([fault.parameter, fault.code], ['cursor', 'cursor_malformed']);
      return fault.detail;
    },
  );
  assert.equal(new Set(details).size, 1);
  assert.equal(problemOf({ cursor: CURSOR }, 'store-2').code, 'cursor_malformed');
});

test('cursor_expired: from its deadline on, to the millisecond, with a request that continues the list', () => {
  assert.notEqual(read({ cursor: CURSOR }), undefined);
  const problem = problemOf({ cursor: cursors.seal(ACCOUNT, EXPIRED) });
  const resume =
    '/v1/transactions?status=completed&currency=EUR&from=2026-01-01&to=2026-02-20&merchantReference=order+1';
  assert.equal(problem.options.resume, resume);
  assert.deepEqual(problem.options.errors, [
    {
      parameter: 'cursor',
      code: 'cursor_expired',
      detail:
        `The cursor expired at 2026-06-15T12:00:00.000Z. Continue with GET ${resume} and skip the ` +
        'transactions that you already have.',
    },
  ]);
});

test('cursor_expired: a from that is too far back is omitted, and the error says so', () => {
  const expired = { ...EXPIRED, filter: { ...NO_FILTER, currency: 'EUR', from: '2025-11-22' } };
  const problem = problemOf({ cursor: cursors.seal(ACCOUNT, expired) });
  assert.equal(problem.options.resume, '/v1/transactions?currency=EUR&from=2025-11-22&to=2026-02-20');

  const further = { ...EXPIRED, filter: { ...NO_FILTER, currency: 'EUR', from: '2025-11-21' } };
  const shortened = problemOf({ cursor: cursors.seal(ACCOUNT, further) });
  assert.equal(shortened.options.resume, '/v1/transactions?currency=EUR&to=2026-02-20');
  assert.match(
    shortened.message,
    /A range is at most 90 days long, so from is omitted: stop at the first transaction that was created before 2025-11-21\.$/,
  );
});

test('the request in resume is always accepted, and covers every remaining day', () => {
  const firstDay = Math.floor(FIRST_TIMESTAMP_MS / DAY_MS);
  const anyDay = fc.integer({ min: firstDay, max: Math.floor(LAST_TIMESTAMP_MS / DAY_MS) });
  fc.assert(
    fc.property(anyDay, fc.option(fc.nat(400)), (day, daysBack) => {
      const from = daysBack === null ? null : formatDay(Math.max(firstDay, day - daysBack));
      const after = { createdAtMs: day * DAY_MS, reference: 'tx-1' };
      const expired = cursors.seal(ACCOUNT, { ...EXPIRED, filter: { ...NO_FILTER, from }, after });
      const { resume } = problemOf({ cursor: expired }).options;
      const { filter } = read(Object.fromEntries(new URLSearchParams(resume?.split('?')[1])));
      assert.equal(filter.to, formatDay(day));
      assert.equal(filter.from, Number(daysBack) > 90 && day - firstDay > 90 ? null : from);
    }),
  );
});

test('a merchantReference that is too long for the cursor is sent with it, also in the Link header', () => {
  const merchantReference = '😀'.repeat(255);
  const filter = { ...CONTENT.filter, merchantReference };
  const cursor = cursors.seal(ACCOUNT, { ...CONTENT, filter });
  const missing = faultOf({ cursor });
  assert.deepEqual([missing.parameter, missing.code], ['merchantReference', 'cursor_filter_mismatch']);
  assert.match(missing.detail, /too long for a cursor\. Send it together with the cursor/);
  assert.match(faultOf({ cursor, merchantReference: 'x' }).detail, /with another merchantReference/);
  assert.equal(faultOf({ cursor, merchantReference: '' }).code, 'invalid_merchant_reference');
  assert.equal(faultsOf({ cursor, status: 'x' }).length, 2);

  const next = new URLSearchParams(nextPath(cursor, filter).split('?')[1]);
  assert.deepEqual(read(Object.fromEntries(next)), { account: ACCOUNT, filter, after: CONTENT.after });
  assert.equal(nextPath(CURSOR, CONTENT.filter), `/v1/transactions?cursor=${CURSOR}`);
  assert.equal(nextPath(CURSOR, NO_FILTER), `/v1/transactions?cursor=${CURSOR}`);

  const expired = cursors.seal(ACCOUNT, { ...EXPIRED, filter });
  assert.equal(faultOf({ cursor: expired }).code, 'cursor_filter_mismatch');
  const { resume } = problemOf({ cursor: expired, merchantReference }).options;
  assert.equal(new URLSearchParams(resume?.split('?')[1]).get('merchantReference'), merchantReference);
});
