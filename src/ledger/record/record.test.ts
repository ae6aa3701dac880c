import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import type { Transaction } from '../transaction.ts';
import { compareWithRecorded } from './record.ts';

const PENDING: Transaction = { ...SAMPLE, status: 'pending', createdAtMs: Date.UTC(2026, 2, 31, 9, 30) };
const COMPLETED: Transaction = { ...PENDING, status: 'completed', paidAtMs: Date.UTC(2026, 2, 31, 9, 31) };

test('fields that the final change does not set never change, not even while pending', () => {
  for (const [change, field, recorded, given] of [
    [{ amountMinor: -5 }, 'amount', '12.50', '-0.05'],
    [{ currencyCode: 'USD' }, 'currencyCode', 'EUR', 'USD'],
    [{ createdAtMs: 0 }, 'createdAt', '2026-03-31T09:30:00.000Z', '1970-01-01T00:00:00.000Z'],
    [{ merchantReference: 'order-7' }, 'merchantReference', null, 'order-7'],
    [{ relatedTo: 'pay_1' }, 'relatedTo', null, 'pay_1'],
  ] as const) {
    const expected = { outcome: 'conflict', differences: [{ field, recorded, given }] };
    assert.deepEqual(compareWithRecorded(PENDING, { ...PENDING, ...change }), expected);
    assert.deepEqual(compareWithRecorded(PENDING, { ...COMPLETED, ...change }), expected);
    assert.deepEqual(compareWithRecorded(COMPLETED, { ...COMPLETED, ...change }), expected);
  }
});
