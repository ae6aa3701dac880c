import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { formatAmount, MAX_AMOUNT_MINOR } from '../../values/amount.ts';
import { FIRST_TIMESTAMP_MS, formatTimestamp, LAST_TIMESTAMP_MS } from '../../values/calendar.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import { declareStatuses } from '../../values/status.ts';
import { type AccountTransaction, isIdentifier, NO_OPTIONAL_FIELDS } from './transaction.ts';
import { type ParseRules, parseTransaction } from './transaction-fields.ts';

const declared = declareStatuses('failed:unpaid,refunded:paid');
assert.ok('statuses' in declared);
const RULES = {
  statuses: declared.statuses,
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

function faultsOf(record: Record<string, unknown>, rules: ParseRules = RULES): FieldFault[] {
  const result = parseTransaction(record, rules);
  assert.ok('faults' in result, `${JSON.stringify(record)} was accepted`);
  assert.equal(result.faults.unlisted, 0);
  return result.faults.listed;
}

test('a transaction without a reference is assigned one for its time of creation', () => {
  const reference = `made-${Date.UTC(2026, 2, 31, 9, 30)}`;
  assert.equal(parsed({ ...COMPLETED, reference: null }).reference, reference);
  assert.equal(parsed({ ...COMPLETED, reference: undefined }).reference, reference);
});

test('every valid transaction is read as it was written', () => {
  const time = fc.integer({ min: FIRST_TIMESTAMP_MS, max: LAST_TIMESTAMP_MS });
  fc.assert(
    fc.property(
      fc.record({
        account: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/).filter(isIdentifier),
        reference: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/).filter(isIdentifier),
        merchantReference: fc.option(fc.stringMatching(/^[ -~äß💳]{1,127}$/u)),
        status: fc.constantFrom('pending', 'completed', 'failed', 'refunded'),
        amountMinor: fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }),
        currencyCode: fc.constantFrom('EUR', 'JPY', 'KWD'),
        createdAtMs: time,
      }),
      time,
      (fields, timeMs) => {
        const isPaid = fields.status === 'completed' || fields.status === 'refunded';
        const transaction = { ...NO_OPTIONAL_FIELDS, ...fields, paidAtMs: isPaid ? timeMs : null };
        const {
          amountMinor,
          paidAtMs,
          createdAtMs,
          finalDetails: _,
          detailsRemovedAtMs: _removed,
          ...asIs
        } = transaction;
        const written = {
          ...asIs,
          amount: formatAmount(amountMinor),
          paidAt: paidAtMs === null ? null : formatTimestamp(paidAtMs),
          createdAt: formatTimestamp(createdAtMs),
        };
        assert.deepEqual(parsed(written), transaction);
        const inFile = { ...written, detailsRemovedAt: null };
        assert.deepEqual(parsed(inFile, { ...RULES, isFile: true }), transaction);
      },
    ),
  );
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
  const faults = faultsOf({ ...removed, details: { a: 'b' } }, file);
  assert.deepEqual(
    faults.map(({ field, code }) => [field, code]),
    [['detailsRemovedAt', 'invalid_value']],
  );
});
