import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/rig/run/properties.ts';
import { formatAmount, MAX_AMOUNT_MINOR } from '../../../values/amount.ts';
import { FIRST_TIMESTAMP_MS, formatTimestamp, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import type { FieldFault } from '../../../values/field-fault.ts';
import { declareStatuses } from '../../../values/status.ts';
import { type AccountTransaction, isIdentifier, NO_OPTIONAL_FIELDS } from '../transaction.ts';
import { TRANSACTION_FIELDS } from '../transaction-fields.ts';
import { type ParseRules, parseTransaction } from './parse-transaction.ts';

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
const PENDING = { ...COMPLETED, status: 'pending', paidAt: null };

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

test('a written transaction is read into minor units and milliseconds', () => {
  assert.deepEqual(parsed(COMPLETED), {
    account: 'store-1',
    reference: 'tx-1',
    merchantReference: 'order-7',
    status: 'completed',
    amountMinor: 1250,
    currencyCode: 'EUR',
    paidAtMs: Date.UTC(2026, 2, 31, 9, 31),
    createdAtMs: Date.UTC(2026, 2, 31, 9, 30),
    ...NO_OPTIONAL_FIELDS,
  });
});

test('an absent field is the same as null', () => {
  const { merchantReference, paidAt, ...rest } = PENDING;
  const expected = parsed({ ...PENDING, merchantReference: null });
  assert.equal(merchantReference, 'order-7');
  assert.equal(paidAt, null);
  assert.deepEqual(parsed(rest), expected);
  assert.deepEqual(parsed({ ...rest, merchantReference: undefined, paidAt: undefined }), expected);
});

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

test('the removal of details is read from a file, and no details with it', () => {
  const removed = { ...COMPLETED, detailsRemovedAt: '2026-04-02T08:00:00.000Z' };
  const file: ParseRules = { ...RULES, isFile: true };
  assert.equal(parsed(removed, file).detailsRemovedAtMs, Date.UTC(2026, 3, 2, 8));
  const faults = faultsOf({ ...removed, details: { a: 'b' } }, file);
  assert.deepEqual(
    faults.map(({ field, code }) => [field, code]),
    [['detailsRemovedAt', 'invalid_value']],
  );
});

test('a transaction that is related to itself is refused with what to write', () => {
  assert.deepEqual(faultsOf({ ...COMPLETED, relatedTo: COMPLETED.reference }), [
    {
      field: 'relatedTo',
      code: 'invalid_value',
      detail:
        'is the reference of the transaction itself; write the reference of another one, or leave it out',
    },
  ]);
});

test('each missing required field is reported', () => {
  for (const field of ['account', 'status', 'amount', 'currencyCode', 'createdAt']) {
    for (const missing of [null, undefined])
      assert.deepEqual(faultsOf({ ...COMPLETED, [field]: missing }), [
        { field, code: 'missing_field', detail: 'is missing' },
      ]);
  }
});

test('a value that is not a string is reported with its type, and never converted', () => {
  for (const field of TRANSACTION_FIELDS) {
    for (const [value, kind] of [
      [12.5, 'a number'],
      [true, 'a boolean'],
      [['a'], 'a list'],
      [{}, 'an object'],
    ] as const) {
      const faults = faultsOf({ ...COMPLETED, [field]: value });
      const example = { amount: '12.50', paidAt: '09:30:00.000Z', createdAt: '09:30:00.000Z' }[
        field as string
      ];
      assert.deepEqual([faults.length, faults[0]?.field, faults[0]?.code], [1, field, 'invalid_type']);
      const detail = faults[0]?.detail ?? '';
      assert.ok(
        detail.startsWith(`is ${kind}; write it as a string`) && detail.includes(example ?? ''),
        detail,
      );
    }
  }
});

test('a value that breaks the rule of its field is reported with the field and the rule', () => {
  const wrong: [field: string, value: string, detail: RegExp][] = [
    ['account', 'store 1', /^"store 1" contains a character that is not allowed; write 1 to 64/],
    ['account', '', /^is empty; write 1 to 64/],
    ['account', '.', /^is ".", which a URL cannot contain; write 1 to 64/],
    ['reference', '..', /^is "..", which a URL cannot contain; write 1 to 64/],
    ['reference', '', /^is empty; write 1 to 64/],
    ['reference', 'x'.repeat(65), /^has 65 characters; write 1 to 64/],
    ['merchantReference', '', /^is empty; write null/],
    ['merchantReference', 'a\nb', /^contains a control character/],
    ['status', 'Completed', /did you mean completed\? Recognised: pending, completed, failed, refunded$/],
    ['status', '', /^The value is empty/],
    ['amount', '1.234', /more than two decimals/],
    ['currencyCode', 'eur', /did you mean EUR\?$/],
    ['createdAt', '2026-03-31', /^"2026-03-31" is not a UTC timestamp/],
    ['paidAt', '2026-03-31T09:31:00.0001Z', /more precise than milliseconds/],
    ['paidAt', '', /^is empty; write UTC/],
  ];
  for (const [field, value, detail] of wrong) {
    const [fault, ...further] = faultsOf({ ...COMPLETED, [field]: value });
    assert.deepEqual(further, [], field);
    assert.equal(fault?.field, field);
    assert.match(fault?.detail ?? '', detail);
  }
});

test('a paid status requires a time of payment, and an unpaid status forbids it', () => {
  for (const status of ['completed', 'refunded'])
    for (const paidAt of [null, undefined])
      assert.deepEqual(faultsOf({ ...COMPLETED, status, paidAt }), [
        {
          field: 'paidAt',
          code: 'missing_field',
          detail: `is missing; a transaction that is "${status}" needs its time of payment`,
        },
      ]);
  for (const status of ['pending', 'failed'])
    assert.deepEqual(faultsOf({ ...COMPLETED, status }), [
      {
        field: 'paidAt',
        code: 'contradicts_status',
        detail: `must be null, which CSV writes as nothing; a transaction that is "${status}" has not been paid`,
      },
    ]);
});

test('an unknown field is reported, with the field that was probably meant, and all fields', () => {
  const fields = [...TRANSACTION_FIELDS, 'relatedTo', 'details'];
  const all = `he fields are ${fields.join(', ')}`;
  assert.deepEqual(faultsOf({ ...COMPLETED, currency_code: 'EUR' }), [
    {
      field: 'currency_code',
      code: 'unknown_field',
      detail: `is not a field of a transaction: did you mean currencyCode? T${all}`,
    },
  ]);
  assert.deepEqual(faultsOf({ ...COMPLETED, colour: 'red' }), [
    { field: 'colour', code: 'unknown_field', detail: `is not a field of a transaction; t${all}` },
  ]);
  const hostile = JSON.parse(`{"__proto__": {"account": "x"}, ${JSON.stringify(COMPLETED).slice(1)}`);
  assert.deepEqual(faultsOf(hostile), [
    { field: '__proto__', code: 'unknown_field', detail: `is not a field of a transaction; t${all}` },
  ]);
});

test('a payment can be earlier than the record of its transaction', () => {
  assert.equal(
    parsed({ ...COMPLETED, paidAt: '1999-12-31T23:59:59.999Z' }).paidAtMs,
    Date.UTC(2000, 0, 1) - 1,
  );
});

test('a third decimal is refused; where the currency has one, the fault says that amounts have two', () => {
  const detail = '"1.234" has more than two decimals, so it cannot be stored exactly';
  const rule = '; the specification writes amounts with two decimals in every currency, also in KWD';
  for (const [currencyCode, expected] of [
    ['EUR', detail],
    ['KWD', detail + rule],
  ])
    assert.deepEqual(faultsOf({ ...COMPLETED, amount: '1.234', currencyCode }), [
      { field: 'amount', code: 'invalid_value', detail: expected },
    ]);
});

test('no fault ends with a full stop: it is a clause', () => {
  for (const changed of [{ status: 'paid' }, { status: '' }, { currencyCode: 'DEM' }, { currencyCode: '' }])
    for (const { detail } of faultsOf({ ...COMPLETED, ...changed })) assert.doesNotMatch(detail, /[.]$/);
});

test('all faults of a transaction are reported at once', () => {
  const faults = faultsOf({
    account: 'a b',
    reference: '',
    merchantReference: '\t',
    status: 'done',
    amount: '1,5',
    currencyCode: 'EURO',
    paidAt: 'now',
    createdAt: 'then',
    colour: 'red',
  });
  assert.deepEqual(faults.map(({ field }) => field).sort(), ['colour', ...TRANSACTION_FIELDS].sort());
  const missing = ['account', 'amount', 'createdAt', 'currencyCode', 'status'];
  assert.deepEqual(
    faultsOf({})
      .map(({ field }) => field)
      .sort(),
    missing,
  );
});

test('the first 20 of many faults are described, 5 of them with the nearest field, and the others are counted', () => {
  const misspelt = Array.from({ length: 1000 }, (_, index) => [`amount${index}`, '1.00']);
  const result = parseTransaction({ ...COMPLETED, ...Object.fromEntries(misspelt) }, RULES);
  assert.ok('faults' in result);
  assert.deepEqual([result.faults.listed.length, result.faults.unlisted], [20, 980]);
  const suggested = result.faults.listed.filter(({ detail }) => detail.includes('did you mean amount?'));
  assert.equal(suggested.length, 5);
  const withoutFields = parseTransaction(Object.fromEntries(misspelt), RULES);
  assert.ok('faults' in withoutFields);
  assert.equal(withoutFields.faults.count, 1000 + 5);
});
