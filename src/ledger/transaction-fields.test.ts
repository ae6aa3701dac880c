import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import type { AccountTransaction } from './transaction.ts';
import { type ParseRules, parseTransaction } from './transaction-fields.ts';

const RULES = {
  statuses: BUILT_IN_STATUSES,
  assignReference: (createdAtMs: number) => `made-${createdAtMs}`,
};

const COMPLETED = {
  account: 'store-1',
  reference: 'tx-1',
  merchantReference: 'order-7',
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-31T09:31:00.000Z',
  createdAt: '2026-03-31T09:30:00.000Z',
};

function parsed(record: Record<string, unknown>, rules: ParseRules = RULES): AccountTransaction {
  const result = parseTransaction(record, rules);
  assert.ok('transaction' in result, JSON.stringify(result));
  return result.transaction;
}

test('a transaction without a reference is assigned one for its time of creation', () => {
  const reference = `made-${Date.UTC(2026, 2, 31, 9, 30)}`;
  assert.equal(parsed({ ...COMPLETED, reference: null }).reference, reference);
  assert.equal(parsed({ ...COMPLETED, reference: undefined }).reference, reference);
});

test('details are read as one text, with their names in order and without absent ones', () => {
  const written = { last4: '4242', customer: 'Ada "Lovelace" größer 😀', email: null };
  const { details, relatedTo } = parsed({ ...COMPLETED, details: written, relatedTo: 'pay_1' });
  assert.equal(details, '{"customer":"Ada \\"Lovelace\\" größer 😀","last4":"4242"}');
  assert.equal(relatedTo, 'pay_1');
  for (const none of [{}, { email: null }, null])
    assert.equal(parsed({ ...COMPLETED, details: none }).details, null);
});

test('the time at which details were removed is read from a file, and is refused together with details', () => {
  const removed = { ...COMPLETED, detailsRemovedAt: '2026-04-02T08:00:00.000Z' };
  const file: ParseRules = { ...RULES, isFile: true };
  assert.equal(parsed(removed, file).detailsRemovedAtMs, Date.UTC(2026, 3, 2, 8));
  const refused = parseTransaction({ ...removed, details: { a: 'b' } }, file);
  assert.ok('faults' in refused);
  assert.deepEqual(
    refused.faults.listed.map(({ field, code }) => [field, code]),
    [['detailsRemovedAt', 'invalid_value']],
  );
});
