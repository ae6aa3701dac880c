import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Transaction } from '../../../../client/src/index.ts';
import { fc } from '../../../../test/rig/run/properties.ts';
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

test('a table has its titles once, amounts aligned right, and columns that only widen', () => {
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

test('control characters are escaped in a table', () => {
  const { lines } = LIST_FORMATS.table();
  const shown = lines([changed({ merchantReference: 'a\u001b[31m\u202eb\r\nc', status: '\u009b2J' })]).join(
    '\n',
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the test looks for
  assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  assert.ok(shown.endsWith('a\\u001b[31m\\u202eb\\u000d\\u000ac'));
  assert.equal(shown.split('\n').length, 2);
});

test('NDJSON has every field unchanged, CSV a header and every field', () => {
  const odd = changed({ merchantReference: 'größer "x",\u2028 😀' });
  const json = LIST_FORMATS.json();
  assert.deepEqual(JSON.parse(json.lines([odd]).join('')), odd);
  assert.equal(json.lines([odd, TRANSACTION]).length, 2);
  const csv = LIST_FORMATS.csv();
  assert.deepEqual(csv.head, ['reference,merchantReference,status,amount,currencyCode,paidAt,createdAt']);
  assert.deepEqual(csv.lines([TRANSACTION]), ['tx_1,,pending,12.50,EUR,,2026-03-01T00:00:00.000Z']);
});

test('columns of the relation and of details are last, in a table and as an export has them, and are guarded', () => {
  const extra = { relatedTo: true, details: ['customer', 'last4', 'constructor'] } as const;
  const refund = changed({ relatedTo: 'tx_0', details: { customer: '=Ada' } });
  const csv = LIST_FORMATS.csv(extra);
  assert.deepEqual(
    [...csv.head, ...csv.lines([refund, TRANSACTION])].map((line) => line.split(',').slice(7)),
    [
      ['relatedTo', 'details.customer', 'details.last4', 'details.constructor'],
      ['tx_0', "'=Ada", '', ''],
      ['', '', '', ''],
    ],
  );
  const { head, lines } = LIST_FORMATS.table(extra);
  assert.deepEqual(
    [...head, ...lines([refund, TRANSACTION])].map((line) => line.split(/ {2,}/).slice(7)),
    [
      ['relatedTo', 'details.customer', 'details.last4', 'details.constructor'],
      ['tx_0', '=Ada', '-', '-'],
      ['-', '-', '-', '-'],
    ],
  );
});

test('a line of CSV reads back as the transaction, whatever characters it has', () => {
  const { head, lines } = LIST_FORMATS.csv();
  const merchantReference = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a",\r\n';]*$/));
  fc.assert(
    fc.property(merchantReference, (text) => {
      const file = `${[...head, ...lines([changed({ merchantReference: text })])].join('\r\n')}\r\n`;
      const [read] = parse<Record<string, string>>(file, { columns: true, record_delimiter: '\r\n' });
      const { merchantReference: shown, ...others } = read ?? {};
      assert.ok(shown === text || shown === `'${text}`);
      const { merchantReference: _, ...expected } = TRANSACTION;
      assert.deepEqual(others, { ...expected, paidAt: '' });
    }),
  );
});

test('a spreadsheet runs no text of a transaction as a formula, and reads every amount as a number', () => {
  const { lines } = LIST_FORMATS.csv();
  const lineOf = (merchantReference: string) =>
    lines([changed({ merchantReference, amount: '-12.50' })])[0] ?? '';
  for (const formula of ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '＝1+1', '－a']) {
    assert.ok(lineOf(formula).startsWith(`tx_1,'${formula},`), formula);
  }
  assert.equal(lineOf('=A1,"b"'), `tx_1,"'=A1,""b""",pending,-12.50,EUR,,2026-03-01T00:00:00.000Z`);
  assert.equal(lineOf('-5'), 'tx_1,-5,pending,-12.50,EUR,,2026-03-01T00:00:00.000Z');
});
