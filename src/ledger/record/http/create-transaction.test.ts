import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountTransaction, NO_OPTIONAL_FIELDS } from '../../transaction.ts';
import { fingerprintOf } from './create-transaction.ts';

test('the fingerprint of a stored request stays the same, even if transactions get a new field', () => {
  const stored = '4f794324ecd55a15ce3ea8128dd39ac6cada46086d8dbea968cccb5bc746a652';
  const sample: AccountTransaction = {
    account: 'store-1',
    reference: 'tx_1',
    merchantReference: null,
    status: 'pending',
    amountMinor: 1250,
    currencyCode: 'EUR',
    paidAtMs: null,
    ...NO_OPTIONAL_FIELDS,
    createdAtMs: Date.UTC(2026, 2, 1),
  };
  assert.equal(fingerprintOf(sample), stored);
  assert.equal(fingerprintOf({ ...sample, reference: 'tx_2' }), stored);
  assert.equal(fingerprintOf({ ...sample, description: null } as AccountTransaction), stored);
  assert.notEqual(fingerprintOf({ ...sample, description: 'a gift' } as AccountTransaction), stored);
});
