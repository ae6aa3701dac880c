import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from '../src/transaction.ts';
import { ContainedKeys } from './contained-keys.ts';

test('a key is found in a longer text, however a bank writes it, and never as a part of another number', () => {
  const keys = new ContainedKeys();
  for (const merchantReference of [
    'order-10482',
    'order-1048',
    'AMZ 302-11',
    'M\u00fcller & S\u00f6hne',
    '17',
  ])
    keys.addTransaction({ reference: '', merchantReference } as Transaction, 'merchantReference');
  for (const [text, key] of [
    ['order-10482', 'order-10482'],
    ['SVWZ+RECHNUNG ORDER 10482 VOM 03.10.', 'order-10482'],
    ['Rg. ORDER-10 482, danke', 'order-10482'],
    ['order-1048 and 7', 'order-1048'],
    ['amz30211', 'AMZ 302-11'],
    ['FA. MULLER SOHNE GMBH', 'M\u00fcller & S\u00f6hne'],
    ['order-104821', 'order-104821'],
    ['reorder-10482', 'reorder-10482'],
    ['paid on 17.10.', 'paid on 17.10.'],
    ['17', '17'],
    ['', ''],
  ] as const)
    assert.equal(keys.keyOf(text), key, text);
});

test('keys that differ only in their separators are distinguished', () => {
  const keys = new ContainedKeys();
  for (const merchantReference of ['2026-1-12', '2026-11-2'])
    keys.addTransaction({ reference: '', merchantReference } as Transaction, 'merchantReference');
  for (const [text, key] of [
    ['RG 2026-1-12', '2026-1-12'],
    ['RG 2026/11/2', '2026-11-2'],
  ] as const)
    assert.equal(keys.keyOf(text), key, text);
});

test('a text that is the key of one transaction and the reference of another finds the first one', () => {
  const both = [
    { reference: 'tx-1001', merchantReference: 'order-7000' },
    { reference: 'order-7000', merchantReference: 'order-8000' },
  ] as Transaction[];
  for (const transactions of [both, both.toReversed()]) {
    const keys = new ContainedKeys();
    for (const one of transactions) keys.addTransaction(one, 'merchantReference');
    for (const [text, key] of [
      ['ORDER 7000', 'order-7000'],
      ['TX 1001', 'order-7000'],
      ['ORDER 8000', 'order-8000'],
    ] as const)
      assert.equal(keys.keyOf(text), key, text);
  }
});
