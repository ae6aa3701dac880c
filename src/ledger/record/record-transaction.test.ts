import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import type { Transaction } from '../transaction.ts';
import { compareWithRecorded } from './record-transaction.ts';

const PENDING: Transaction = { ...SAMPLE, status: 'pending', createdAtMs: Date.UTC(2026, 2, 31, 9, 30) };
const COMPLETED: Transaction = { ...PENDING, status: 'completed', paidAtMs: Date.UTC(2026, 2, 31, 9, 31) };
const FAILED: Transaction = { ...PENDING, status: 'failed' };

test('an equal transaction changes nothing', () => {
  for (const transaction of [PENDING, COMPLETED, FAILED])
    assert.deepEqual(compareWithRecorded(transaction, { ...transaction }), { outcome: 'unchanged' });
});

test('a pending transaction can get any other status, with or without a time of payment', () => {
  assert.deepEqual(compareWithRecorded(PENDING, COMPLETED), { outcome: 'changed' });
  assert.deepEqual(compareWithRecorded(PENDING, FAILED), { outcome: 'changed' });
});

test('every status except pending is final', () => {
  assert.deepEqual(compareWithRecorded(FAILED, PENDING), {
    outcome: 'conflict',
    differences: [{ field: 'status', recorded: 'failed', given: 'pending' }],
  });
  assert.deepEqual(compareWithRecorded(COMPLETED, FAILED), {
    outcome: 'conflict',
    differences: [
      { field: 'status', recorded: 'completed', given: 'failed' },
      { field: 'paidAt', recorded: '2026-03-31T09:31:00.000Z', given: null },
    ],
  });
});

test('the time of a payment never changes', () => {
  assert.deepEqual(
    compareWithRecorded(COMPLETED, { ...COMPLETED, paidAtMs: (COMPLETED.paidAtMs ?? 0) + 1 }),
    {
      outcome: 'conflict',
      differences: [
        { field: 'paidAt', recorded: '2026-03-31T09:31:00.000Z', given: '2026-03-31T09:31:00.001Z' },
      ],
    },
  );
});

test('amount, currency, time of creation and merchantReference never change, not even while pending', () => {
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
  ];
  for (const [change, field, recorded, given] of changes) {
    const expected = { outcome: 'conflict', differences: [{ field, recorded, given }] };
    assert.deepEqual(compareWithRecorded(PENDING, { ...PENDING, ...change }), expected);
    assert.deepEqual(compareWithRecorded(PENDING, { ...COMPLETED, ...change }), expected);
    assert.deepEqual(compareWithRecorded(COMPLETED, { ...COMPLETED, ...change }), expected);
  }
});

test('all differences are reported together', () => {
  const given = { ...FAILED, amountMinor: 1, currencyCode: 'USD', createdAtMs: 1, merchantReference: 'x' };
  const comparison = compareWithRecorded(COMPLETED, given);
  assert.ok(comparison.outcome === 'conflict');
  assert.deepEqual(
    comparison.differences.map(({ field }) => field),
    ['merchantReference', 'amount', 'currencyCode', 'createdAt', 'status', 'paidAt'],
  );
});
