import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileName } from './file-name.ts';

test('the name of a file tells its filter, and that it lacks transactions', () => {
  assert.equal(fileName({}, true), 'transactions_all.csv');
  assert.equal(
    fileName({ status: 'completed', currency: 'EUR', from: '2026-01-01', to: '2026-03-31' }, true),
    'transactions_completed_EUR_2026-01-01_to_2026-03-31.csv',
  );
  assert.equal(fileName({ from: '2026-01-01' }, false), 'transactions_from_2026-01-01_INCOMPLETE.csv');
  assert.equal(fileName({ to: '2026-01-01' }, true), 'transactions_until_2026-01-01.csv');
});

test('a reference makes a name that any system takes', () => {
  assert.equal(fileName({ merchantReference: '../a b/\u00e9:*?"' }, true), 'transactions_..-a-b------.csv');
  assert.ok(fileName({ merchantReference: 'R'.repeat(255) }, true).length < 100);
});
