import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/rig/run/properties.ts';
import {
  carriedFilter,
  checkFilterWithCursor,
  completeFilter,
  uncarriedReference,
} from './carried-filter.ts';
import { FILTER_PARAMETERS, type ListFilter, NO_FILTER } from './list-filter.ts';

const FULL: ListFilter = {
  status: 'completed',
  currency: 'EUR',
  from: '2026-01-01',
  to: '2026-03-31',
  timeZone: 'Europe/Berlin',
  merchantReference: 'order-1',
};
const OTHER: ListFilter = {
  status: 'pending',
  currency: 'USD',
  from: '2026-01-02',
  to: '2026-03-30',
  timeZone: 'America/Lima',
  merchantReference: 'order-2',
};
const LONG = 'x'.repeat(91);

test('a cursor carries a whole filter, except a merchantReference of more than 92 bytes as JSON', () => {
  for (const carried of [NO_FILTER, FULL, { ...FULL, merchantReference: 'x'.repeat(90) }])
    assert.equal(carriedFilter(carried), carried);
  for (const long of [LONG, 'ü'.repeat(46), '"'.repeat(46)]) {
    assert.equal(uncarriedReference({ ...FULL, merchantReference: long }), long);
    const { merchantReference, ...others } = carriedFilter({ ...FULL, merchantReference: long });
    assert.match(JSON.stringify(merchantReference), /^\{"sha256":"[A-Za-z0-9_-]{43}"\}$/);
    assert.deepEqual({ ...others, merchantReference: 'order-1' }, FULL);
  }
});

test('a filter that a cursor carries whole is complete, whatever is sent with it', () => {
  for (const filter of [NO_FILTER, FULL]) {
    assert.deepEqual(completeFilter(carriedFilter(filter), NO_FILTER), filter);
    assert.deepEqual(completeFilter(carriedFilter(filter), filter), filter);
  }
});

test('a long merchantReference must be sent with the cursor, and be equal', () => {
  const filter = { ...FULL, merchantReference: LONG };
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
      for (const parameter of repeated) sent[parameter] = FULL[parameter];
      assert.deepEqual(checkFilterWithCursor(sent, FULL), []);
    }),
  );
});

test('each filter that a cursor does not carry, or carries with another value, is refused', () => {
  for (const parameter of FILTER_PARAMETERS) {
    const sent = { ...NO_FILTER, [parameter]: OTHER[parameter] };
    const code = 'cursor_filter_mismatch';
    assert.deepEqual(checkFilterWithCursor(sent, NO_FILTER), [
      {
        parameter,
        code,
        detail: `The cursor belongs to a list without ${parameter}. Omit ${parameter}, or omit the cursor to start a new list.`,
      },
    ]);
    assert.deepEqual(checkFilterWithCursor(sent, FULL), [
      {
        parameter,
        code,
        detail: `The cursor belongs to a list with another ${parameter}. Send the cursor alone, or omit it to start a new list.`,
      },
    ]);
  }
  assert.equal(checkFilterWithCursor(OTHER, FULL).length, FILTER_PARAMETERS.length);
});

test('UTC is the time zone of a cursor without one, and not of one with another', () => {
  const sent = { ...NO_FILTER, timeZone: 'UTC' };
  assert.deepEqual(checkFilterWithCursor(sent, NO_FILTER), []);
  assert.deepEqual(
    checkFilterWithCursor(sent, FULL).map(({ parameter }) => parameter),
    ['timeZone'],
  );
});
