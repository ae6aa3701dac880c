import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import type { Transaction } from '../transaction.ts';
import { compareWithRecorded } from './record.ts';

const PENDING: Transaction = { ...SAMPLE, status: 'pending', createdAtMs: Date.UTC(2026, 2, 31, 9, 30) };
const COMPLETED: Transaction = { ...PENDING, status: 'completed', paidAtMs: Date.UTC(2026, 2, 31, 9, 31) };
const FAILED: Transaction = { ...PENDING, status: 'failed' };

test('an equal transaction changes nothing', () => {
  for (const transaction of [PENDING, COMPLETED, FAILED])
    assert.deepEqual(compareWithRecorded(transaction, { ...transaction }), { outcome: 'unchanged' });
});

test('a pending transaction can get any other status, with or without a time of payment', () => {
  const changed = { outcome: 'changed', finalDetails: null, detailsRemovedAtMs: null };
  assert.deepEqual(compareWithRecorded(PENDING, COMPLETED), changed);
  assert.deepEqual(compareWithRecorded(PENDING, FAILED), changed);
});

test('every status except pending is final', () => {
  assert.deepEqual(compareWithRecorded(FAILED, PENDING), {
    outcome: 'conflict',
    differences: [{ field: 'status', recorded: 'failed', given: 'pending' }],
  });
  assert.deepEqual(compareWithRecorded(COMPLETED, { ...FAILED, paidAtMs: PENDING.createdAtMs }), {
    outcome: 'conflict',
    differences: [
      { field: 'status', recorded: 'completed', given: 'failed' },
      { field: 'paidAt', recorded: '2026-03-31T09:31:00.000Z', given: '2026-03-31T09:30:00.000Z' },
    ],
  });
});

test('fields that the final change does not set never change, not even while pending', () => {
  const changes: [
    change: Partial<Transaction>,
    field: string,
    recorded: string | null,
    given: string | null,
  ][] = [
    [{ amountMinor: -5 }, 'amount', '12.50', '-0.05'],
    [{ currencyCode: 'USD' }, 'currencyCode', 'EUR', 'USD'],
    [{ createdAtMs: 0 }, 'createdAt', '2026-03-31T09:30:00.000Z', '1970-01-01T00:00:00.000Z'],
    [{ merchantReference: 'order-7' }, 'merchantReference', null, 'order-7'],
    [{ relatedTo: 'pay_1' }, 'relatedTo', null, 'pay_1'],
  ];
  for (const [change, field, recorded, given] of changes) {
    const expected = { outcome: 'conflict', differences: [{ field, recorded, given }] };
    assert.deepEqual(compareWithRecorded(PENDING, { ...PENDING, ...change }), expected);
    assert.deepEqual(compareWithRecorded(PENDING, { ...COMPLETED, ...change }), expected);
    assert.deepEqual(compareWithRecorded(COMPLETED, { ...COMPLETED, ...change }), expected);
  }
});

const ADA = '{"customer":"Ada"}';
const ADA_4242 = '{"customer":"Ada","last4":"4242"}';

test('only the change that makes a transaction final can add details', () => {
  const pending = { ...PENDING, details: ADA };
  const given = { ...COMPLETED, details: ADA_4242 };
  const changed = { outcome: 'changed', detailsRemovedAtMs: null };
  assert.deepEqual(compareWithRecorded(pending, given), { ...changed, finalDetails: ADA_4242 });
  assert.deepEqual(compareWithRecorded(PENDING, given), { ...changed, finalDetails: ADA_4242 });
  assert.deepEqual(compareWithRecorded(pending, { ...given, details: ADA }), {
    ...changed,
    finalDetails: null,
  });
  const final = { ...COMPLETED, details: ADA, finalDetails: ADA_4242 };
  assert.deepEqual(compareWithRecorded(final, given), { outcome: 'unchanged' });
  const added = { field: 'details.last4', recorded: null, given: '4242' };
  const conflict = { outcome: 'conflict', differences: [added] };
  assert.deepEqual(compareWithRecorded(pending, { ...PENDING, details: ADA_4242 }), conflict);
  assert.deepEqual(compareWithRecorded({ ...COMPLETED, details: ADA }, given), conflict);
});

test('recording a transaction again with its removed details changes nothing, and does not bring them back', () => {
  const removed = { ...PENDING, detailsRemovedAtMs: 5 };
  for (const details of [ADA, ADA_4242, null]) {
    assert.deepEqual(compareWithRecorded(removed, { ...PENDING, details }), { outcome: 'unchanged' });
    assert.deepEqual(compareWithRecorded(removed, { ...COMPLETED, details }), {
      outcome: 'changed',
      finalDetails: null,
      detailsRemovedAtMs: 5,
    });
  }
});
