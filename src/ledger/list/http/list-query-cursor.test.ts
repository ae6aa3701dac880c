import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACCOUNT,
  anyContent,
  CONTENT,
  CURSOR,
  cursors,
  EXPIRED,
  faultOf,
  faultsOf,
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

test('a merchantReference that is too long for the cursor must be sent with it', () => {
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

  assert.equal(nextQuery(CURSOR, CONTENT.filter), `?cursor=${CURSOR}`);
  const next = new URLSearchParams(nextQuery(cursor, filter));
  assert.deepEqual(read(Object.fromEntries(next)), { account: ACCOUNT, filter, after: CONTENT.after });
  const expired = cursors.seal(ACCOUNT, { ...EXPIRED, filter });
  assert.equal(faultOf({ cursor: expired }).code, 'cursor_filter_mismatch');
  assert.match(faultOf({ cursor: expired, merchantReference: 'x' }).detail, /with another merchantReference/);
  assert.equal(problemOf({ cursor: expired, merchantReference: 'x' }).options.resume, undefined);
});
