import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from '../../src/index.ts';
import { LIST_FORMATS } from './list-formats.ts';

const TRANSACTION: Transaction = {
  reference: 'tx_1',
  merchantReference: null,
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: null,
  createdAt: '2026-03-01T00:00:00.000Z',
};

const changed = (fields: Partial<Transaction>): Transaction => ({ ...TRANSACTION, ...fields });

test('a table prints its titles once, aligns amounts to the right, and only widens its columns', () => {
  const { head, lines } = LIST_FORMATS.table();
  const first = lines([TRANSACTION, changed({ amount: '-1234.00', merchantReference: 'order-1' })]);
  const second = lines([changed({ reference: 'a-longer-reference', status: 'completed' })]);
  const third = lines([TRANSACTION]);
  assert.equal(
    [...head, ...first, ...second, ...third].join('\n'),
    `CREATED                   REFERENCE  STATUS     AMOUNT  CURRENCY  PAID  MERCHANT REFERENCE
2026-03-01T00:00:00.000Z  tx_1       pending     12.50  EUR       -     -
2026-03-01T00:00:00.000Z  tx_1       pending  -1234.00  EUR       -     order-1
2026-03-01T00:00:00.000Z  a-longer-reference  completed     12.50  EUR       -     -
2026-03-01T00:00:00.000Z  tx_1                pending       12.50  EUR       -     -`,
  );
});

test('no text of a transaction is a formula in a spreadsheet, and an amount is a number', () => {
  const { lines } = LIST_FORMATS.csv({ details: ['customer', 'constructor'] });
  const fields = { merchantReference: '=A1,"b"', amount: '-12.50', details: { customer: '=Ada' } };
  assert.deepEqual(lines([changed(fields)]), [
    `tx_1,"'=A1,""b""",pending,-12.50,EUR,,2026-03-01T00:00:00.000Z,'=Ada,`,
  ]);
});
