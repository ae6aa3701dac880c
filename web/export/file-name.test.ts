import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '../state/route.ts';
import { fileName } from './file-name.ts';

const csv = (filter: Filter) => fileName('store-1', { filter, zone: 'UTC', format: 'csv' });

test('the name of a file has its account and its filter', () => {
  assert.equal(csv({}), 'store-1_transactions_all.csv');
  assert.equal(
    csv({ status: 'completed', currency: 'EUR', from: '2026-01-01', to: '2026-03-31' }),
    'store-1_transactions_completed_EUR_2026-01-01_to_2026-03-31.csv',
  );
  assert.equal(csv({ from: '2026-01-01' }), 'store-1_transactions_from_2026-01-01.csv');
  assert.equal(csv({ to: '2026-01-01' }), 'store-1_transactions_until_2026-01-01.csv');
});

test('the name of a file has the time zone of its days unless it is UTC', () => {
  const zone = 'America/Argentina/Buenos_Aires';
  const filter = { status: 'completed', from: '2026-06-01', to: '2026-06-30' };
  assert.equal(
    fileName('store-1', { filter, zone, format: 'xlsx' }),
    'store-1_transactions_completed_2026-06-01_to_2026-06-30_America-Argentina-Buenos_Aires.xlsx',
  );
  assert.equal(
    fileName('store-1', { filter: { from: '2026-06-01' }, zone, format: 'csv' }),
    'store-1_transactions_from_2026-06-01_America-Argentina-Buenos_Aires.csv',
  );
  assert.equal(fileName('store-1', { filter: {}, zone, format: 'csv' }), 'store-1_transactions_all.csv');
  assert.equal(
    fileName('store-1', { filter: { from: '2026-06-01', by: 'payment' }, zone: 'UTC', format: 'csv' }),
    'store-1_transactions_paid_from_2026-06-01.csv',
  );
});

test('a file name has no character that a system refuses, and is short', () => {
  assert.equal(csv({ merchantReference: '../a b/\u00e9:*?"' }), 'store-1_transactions_..-a-b------.csv');
  assert.ok(csv({ merchantReference: 'R'.repeat(255) }).length < 100);
});
