import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from '../../reconcile/file-table.ts';
import { parseMappings, reconcileHeader } from './reconcile-header.ts';

test('a column is found by its name, whatever spaces the file or the user writes around the name', () => {
  const head = 'reference, amount,"Paid on ", currencyCode';
  const table = tableOf([head, 'tx_1,12.50,2026-03-01,EUR']);
  const header = reconcileHeader(table, parseMappings(['Paid on =paidAt']), 'reference', () => {});
  assert.deepEqual(header.read(head).columns, ['reference', 'amount', 'paidAt', 'currencyCode']);
});
