import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACCOUNT,
  anyContent,
  CARRIED,
  CONTENT,
  CURSOR,
  cursors,
  EXPIRED,
  faultOf,
  faultsOf,
  LIFETIME_SECONDS,
  NOW_MS,
  OTHERS,
  problemOf,
  read,
} from '../../../../test/rig/data/list-query.ts';
import { fc } from '../../../../test/rig/run/properties.ts';
import { CURSOR_MAX_CHARACTERS } from '../../../../values/interface/limits.ts';
import { uncarriedReference } from '../cursor.ts';
import { NO_FILTER } from '../list.ts';
import { nextQuery } from './list-query.ts';

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
  for (const [name, value] of Object.entries(OTHERS)) {
    const different = faultOf({ [name]: value, cursor: CURSOR });
    assert.deepEqual([different.parameter, different.code], [name, 'cursor_filter_mismatch']);
    assert.match(different.detail, new RegExp(`with another ${name}`));
    assert.match(faultOf({ [name]: value, cursor: bare }).detail, new RegExp(`without ${name}`));
  }
  assert.equal(faultsOf({ ...OTHERS, cursor: CURSOR }).length, Object.keys(OTHERS).length);
  assert.deepEqual(read({ timeZone: 'UTC', cursor: bare }).filter, NO_FILTER);
  assert.deepEqual(faultsOf({ timeZone: 'UTC', cursor: CURSOR }), ['timeZone cursor_filter_mismatch']);
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

test('cursor_expired: from its deadline on, to the millisecond, with a fresh cursor for the same place', () => {
  assert.notEqual(read({ cursor: CURSOR }), undefined);
  const expired = cursors.seal(ACCOUNT, EXPIRED);
  const problem = problemOf({ cursor: expired });
  const [path, query] = problem.options.resume?.split('?') ?? [];
  assert.equal(path, '/v1/transactions');
  const { cursor = '', ...others } = Object.fromEntries(new URLSearchParams(query));
  assert.deepEqual(others, {});
  const expiresAtMs = NOW_MS + LIFETIME_SECONDS * 1000;
  assert.deepEqual(cursors.open(ACCOUNT, cursor, NOW_MS), {
    outcome: 'opened',
    content: { ...CONTENT, expiresAtMs },
  });
  assert.deepEqual(problem.options.errors, [
    {
      parameter: 'cursor',
      code: 'cursor_expired',
      detail:
        'The cursor expired at 2026-06-15T12:00:00.000Z. Send the request in resume until 2026-06-16T12:00:00.000Z: ' +
        'it has a fresh cursor, which continues at the same place, with the same filters.',
    },
  ]);
  assert.equal(problemOf({ cursor: expired }).code, 'cursor_expired');
});

test('the request in resume is the query of the cursor before it expired, whatever its filters and its position', () => {
  fc.assert(
    fc.property(anyContent, ({ filter, after }) => {
      const cursor = cursors.seal(ACCOUNT, { filter, after, expiresAtMs: NOW_MS });
      const merchantReference = uncarriedReference(filter);
      const long = merchantReference === null ? {} : { merchantReference };
      const { resume } = problemOf({ cursor, ...long }).options;
      const resumed = read(Object.fromEntries(new URLSearchParams(resume?.split('?')[1])));
      assert.deepEqual(resumed, { account: ACCOUNT, filter, after });
    }),
  );
});

test('a merchantReference that is too long for the cursor is sent with it, also in the Link header', () => {
  const merchantReference = '😀'.repeat(255);
  const filter = { ...CONTENT.filter, merchantReference };
  const cursor = cursors.seal(ACCOUNT, { ...CONTENT, filter });
  assert.ok(cursor.length <= CURSOR_MAX_CHARACTERS);
  const missing = faultOf({ cursor });
  assert.deepEqual([missing.parameter, missing.code], ['merchantReference', 'cursor_filter_mismatch']);
  assert.match(missing.detail, /too long for a cursor\. Send it together with the cursor/);
  assert.match(faultOf({ cursor, merchantReference: 'x' }).detail, /with another merchantReference/);
  assert.equal(faultOf({ cursor, merchantReference: '' }).code, 'invalid_merchant_reference');
  assert.equal(faultsOf({ cursor, status: 'x' }).length, 2);

  const next = new URLSearchParams(nextQuery(cursor, filter));
  assert.deepEqual(read(Object.fromEntries(next)), { account: ACCOUNT, filter, after: CONTENT.after });
  assert.equal(nextQuery(CURSOR, CONTENT.filter), `?cursor=${CURSOR}`);
  assert.equal(nextQuery(CURSOR, NO_FILTER), `?cursor=${CURSOR}`);

  const expired = cursors.seal(ACCOUNT, { ...EXPIRED, filter });
  assert.equal(faultOf({ cursor: expired }).code, 'cursor_filter_mismatch');
  const { resume } = problemOf({ cursor: expired, merchantReference }).options;
  const resumed = Object.fromEntries(new URLSearchParams(resume?.split('?')[1]));
  assert.deepEqual(read(resumed), { account: ACCOUNT, filter, after: CONTENT.after });
  // No fresh cursor is made for a filter that contradicts the cursor.
  assert.match(faultOf({ cursor: expired, merchantReference: 'x' }).detail, /with another merchantReference/);
  assert.equal(problemOf({ cursor: expired, merchantReference: 'x' }).options.resume, undefined);
});
