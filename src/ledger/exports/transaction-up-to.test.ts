import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { NO_OPTIONAL_FIELDS } from '../transaction.ts';
import { NO_EXPORT_FILTER } from './export.ts';
import { filterMatcher, recordedTimes, transactionUpTo } from './transaction-up-to.ts';

const COMPLETED = {
  reference: 'a',
  merchantReference: 'order-1',
  status: 'completed',
  amountMinor: 1250,
  currencyCode: 'EUR',
  paidAtMs: 5,
  createdAtMs: Date.UTC(2026, 2, 31, 23, 59, 59, 999),
  ...NO_OPTIONAL_FIELDS,
};
const PAID_ON = '1970-01-01';
const NUMBERS = {
  pendingSequence: 3,
  pendingRecordedAtMs: 30,
  finalSequence: 7,
  finalRecordedAtMs: 70,
};
const PENDING = { ...COMPLETED, status: 'pending', paidAtMs: null };

test('a transaction is shown as it was at a number: absent, pending, then in its final status', () => {
  const row = { transaction: COMPLETED, ...NUMBERS };
  for (const upTo of [0, 2]) assert.equal(transactionUpTo(row, upTo), undefined);
  for (const upTo of [3, 6]) assert.deepEqual(transactionUpTo(row, upTo), PENDING);
  for (const upTo of [7, 100]) assert.deepEqual(transactionUpTo(row, upTo), COMPLETED);
  assert.equal(COMPLETED.status, 'completed');
});

test('the times of a transaction are those of its first change, and of the change after which it is shown', () => {
  const row = { transaction: COMPLETED, ...NUMBERS };
  assert.deepEqual(recordedTimes(row, 6), { recordedAtMs: 30, statusRecordedAtMs: 30 });
  assert.deepEqual(recordedTimes(row, 7), { recordedAtMs: 30, statusRecordedAtMs: 70 });
  const atOnce = { ...row, pendingSequence: null, pendingRecordedAtMs: null };
  assert.deepEqual(recordedTimes(atOnce, 7), { recordedAtMs: 70, statusRecordedAtMs: 70 });
});

test('a filter matches a transaction only if each of its conditions does', () => {
  const matching = {
    ...NO_EXPORT_FILTER,
    status: 'completed',
    currency: 'EUR',
    from: '2026-03-31',
    to: '2026-03-31',
    timeZone: 'UTC',
    merchantReference: 'order-1',
    paidFrom: PAID_ON,
    paidTo: PAID_ON,
  };
  assert.equal(filterMatcher(matching)(COMPLETED), true);
  assert.equal(filterMatcher(NO_EXPORT_FILTER)({ ...COMPLETED, merchantReference: null }), true);
  const others = {
    status: 'pending',
    currency: 'USD',
    from: '2026-04-01',
    to: '2026-03-30',
    timeZone: 'Pacific/Kiritimati',
    merchantReference: 'order-2',
    paidFrom: '2026-04-02',
    paidTo: '1969-12-31',
  };
  for (const [name, value] of Object.entries(others))
    assert.equal(filterMatcher({ ...matching, [name]: value })(COMPLETED), false, name);
  assert.equal(filterMatcher({ ...NO_EXPORT_FILTER, paidTo: PAID_ON })(PENDING), false);
  for (const createdAtMs of [FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS])
    assert.equal(filterMatcher(NO_EXPORT_FILTER)({ ...COMPLETED, createdAtMs }), true);
});
