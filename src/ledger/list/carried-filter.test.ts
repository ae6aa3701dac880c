import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARRIED, OTHERS } from '../../../test/rig/data/list-query.ts';
import { fc } from '../../../test/rig/run/properties.ts';
import {
  carriedFilter,
  checkFilterWithCursor,
  completeFilter,
  uncarriedReference,
} from './carried-filter.ts';
import { FILTER_PARAMETERS, NO_FILTER } from './list-filter.ts';

const LONG = 'x'.repeat(91);

test('a cursor carries a whole filter, except a merchantReference of more than 92 bytes as JSON', () => {
  for (const carried of [NO_FILTER, CARRIED, { ...CARRIED, merchantReference: 'x'.repeat(90) }])
    assert.equal(carriedFilter(carried), carried);
  for (const long of [LONG, 'ü'.repeat(46), '"'.repeat(46)]) {
    assert.equal(uncarriedReference({ ...CARRIED, merchantReference: long }), long);
    const { merchantReference, ...others } = carriedFilter({ ...CARRIED, merchantReference: long });
    assert.match(JSON.stringify(merchantReference), /^\{"sha256":"[A-Za-z0-9_-]{43}"\}$/);
    assert.deepEqual({ ...others, merchantReference: CARRIED.merchantReference }, CARRIED);
  }
});

test('a filter that a cursor carries whole is complete, whatever is sent with it', () => {
  for (const filter of [NO_FILTER, CARRIED]) {
    assert.deepEqual(completeFilter(carriedFilter(filter), NO_FILTER), filter);
    assert.deepEqual(completeFilter(carriedFilter(filter), filter), filter);
  }
});

test('a long merchantReference must be sent with the cursor, and be equal', () => {
  const filter = { ...CARRIED, merchantReference: LONG };
  const carried = carriedFilter(filter);
  assert.deepEqual(completeFilter(carried, NO_FILTER), undefined);
  const sent = { ...NO_FILTER, merchantReference: LONG };
  assert.deepEqual(completeFilter(carried, sent), filter);
  assert.deepEqual(checkFilterWithCursor(sent, carried), []);
  const [fault, ...further] = checkFilterWithCursor({ ...sent, merchantReference: `${LONG}x` }, carried);
  assert.deepEqual([fault?.parameter, further.length], ['merchantReference', 0]);
});

test('any of the carried filters can be repeated with a cursor', () => {
  fc.assert(
    fc.property(fc.subarray([...FILTER_PARAMETERS]), (repeated) => {
      const sent = { ...NO_FILTER };
      for (const parameter of repeated) sent[parameter] = CARRIED[parameter];
      assert.deepEqual(checkFilterWithCursor(sent, CARRIED), []);
    }),
  );
});

test('each filter that a cursor does not carry, or carries with another value, is refused', () => {
  for (const parameter of FILTER_PARAMETERS) {
    const sent = { ...NO_FILTER, [parameter]: OTHERS[parameter] };
    const code = 'cursor_filter_mismatch';
    assert.deepEqual(checkFilterWithCursor(sent, NO_FILTER), [
      {
        parameter,
        code,
        detail: `The cursor belongs to a list without ${parameter}. Omit ${parameter}, or omit the cursor to start a new list.`,
      },
    ]);
    assert.deepEqual(checkFilterWithCursor(sent, CARRIED), [
      {
        parameter,
        code,
        detail: `The cursor belongs to a list with another ${parameter}. Send the cursor alone, or omit it to start a new list.`,
      },
    ]);
  }
  assert.equal(checkFilterWithCursor(OTHERS, CARRIED).length, FILTER_PARAMETERS.length);
});

test('UTC is the time zone of a cursor without one, and not of one with another', () => {
  const sent = { ...NO_FILTER, timeZone: 'UTC' };
  assert.deepEqual(checkFilterWithCursor(sent, NO_FILTER), []);
  assert.deepEqual(
    checkFilterWithCursor(sent, CARRIED).map(({ parameter }) => parameter),
    ['timeZone'],
  );
});
