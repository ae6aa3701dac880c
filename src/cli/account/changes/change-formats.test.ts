import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, Transaction } from '../../../../client/src/index.ts';
import { JSON_LINES } from '../../terminal/table.ts';
import { changeTable } from './change-formats.ts';

function change(sequence: number, fields: Partial<Transaction> = {}): Change {
  const transaction: Transaction = {
    reference: 'tx_000012',
    merchantReference: null,
    status: 'completed',
    amount: '24.50',
    currencyCode: 'USD',
    paidAt: '2026-03-30T09:30:05.000Z',
    createdAt: '2026-03-30T09:30:00.000Z',
    ...fields,
  };
  const { status } = transaction;
  return {
    sequence,
    id: `chg_${sequence}`,
    type: `transaction.${status}`,
    previousStatus: status === 'pending' ? null : 'pending',
    recordedAt: '2026-03-30T09:30:06.789Z',
    transaction,
  };
}

test('a table has its titles once and numbers aligned right', () => {
  const { head, lines } = changeTable();
  const first = lines([change(9, { status: 'pending' }), change(10, { amount: '-1234.00' })]);
  const second = lines([change(11, { reference: 'r'.repeat(100) })]);
  assert.equal(
    [...head, ...first, ...second].join('\n'),
    `SEQUENCE  RECORDED              STATUS       AMOUNT  CURRENCY  REFERENCE
       9  2026-03-30T09:30:06Z  pending       24.50  USD       tx_000012
      10  2026-03-30T09:30:06Z  completed  -1234.00  USD       tx_000012
      11  2026-03-30T09:30:06Z  completed     24.50  USD       ${'r'.repeat(100)}`,
  );
});

test('a reference is never cut, and a line with an ordinary one fits a terminal of 80 columns', () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
  const { lines } = changeTable();
  const shown = lines([
    change(12_345_678, { reference: 'tx_000012345' }),
    change(1, { reference: uuid, amount: '123456789.00' }),
  ]);
  assert.ok(shown[1]?.endsWith('  tx_000012345'));
  assert.equal(shown[1]?.length, 79);
  assert.ok(shown[2]?.endsWith(`  ${uuid}`), shown[2]);
});

test('control characters are escaped in a table', () => {
  const [, shown = ''] = changeTable().lines([change(1, { reference: 'a\u001b[31m\u202eb\r\nc' })]);
  assert.ok(shown.endsWith('a\\u001b[31m\\u202eb\\u000d\\u000ac'), shown);
});

test('NDJSON has every field unchanged', () => {
  const odd = change(1, { merchantReference: 'größer "x",\u2028 😀' });
  assert.deepEqual(JSON.parse(JSON_LINES.lines([odd]).join('')), odd);
  assert.equal(JSON_LINES.lines([odd, odd]).length, 2);
});
