import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../../test/rig/data/transactions.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { fingerprintOf } from './operations.ts';

test('the fingerprint of a stored request stays the same, even if transactions get a new field', () => {
  const stored = '4f794324ecd55a15ce3ea8128dd39ac6cada46086d8dbea968cccb5bc746a652';
  assert.equal(fingerprintOf(SAMPLE), stored);
  assert.equal(fingerprintOf({ ...SAMPLE, reference: 'tx_2' }), stored);
  assert.equal(fingerprintOf({ ...SAMPLE, description: null } as AccountTransaction), stored);
  assert.notEqual(fingerprintOf({ ...SAMPLE, description: 'a gift' } as AccountTransaction), stored);
});
