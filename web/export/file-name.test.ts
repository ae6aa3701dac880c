import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileName } from './file-name.ts';

test('the name of a file has its filter', () => {
  assert.equal(fileName({}), 'transactions_all.csv');
  assert.equal(
    fileName({ status: 'completed', currency: 'EUR', from: '2026-01-01', to: '2026-03-31' }),
    'transactions_completed_EUR_2026-01-01_to_2026-03-31.csv',
  );
  assert.equal(fileName({ from: '2026-01-01' }), 'transactions_from_2026-01-01.csv');
  assert.equal(fileName({ to: '2026-01-01' }), 'transactions_until_2026-01-01.csv');
});

test('a file name has no character that a system refuses, and is short', () => {
  assert.equal(fileName({ merchantReference: '../a b/\u00e9:*?"' }), 'transactions_..-a-b------.csv');
  assert.ok(fileName({ merchantReference: 'R'.repeat(255) }).length < 100);
});
