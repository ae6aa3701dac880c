import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../client/src/change.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { scriptedChange, scriptedTransaction } from '../../test/rig/data/scripted-feed.ts';
import { newSums, newsOfPage, type ShownTotals } from './news-of-page.ts';

const transaction = (reference: string, createdAt: string, status = 'completed') =>
  scriptedTransaction({
    ...{ reference, status, createdAt, amount: '10.00' },
    paidAt: status === 'pending' ? null : createdAt,
  });

const change = (sequence: number, one: Transaction, previousStatus: string | null = null): Change => ({
  ...scriptedChange(sequence, one),
  ...{ type: `transaction.${one.status}`, previousStatus },
});

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const rows = [
  { currencyCode: 'EUR', status: 'completed', count: 20, amount: '1000.00' },
  { currencyCode: 'EUR', status: 'pending', count: 1, amount: '10.00' },
];
const totals: ShownTotals = { rows, asOf: 100, filter: OCTOBER, archivedBefore: undefined, atMs: 0 };
const page = {
  data: [
    transaction('b', '2026-10-31T12:00:00.000Z'),
    transaction('a', '2026-10-30T12:00:00.000Z', 'pending'),
  ],
  nextCursor: 'c',
  hasMore: true,
};
const news = (changes: Change[], others: Partial<Parameters<typeof newsOfPage>[2]> = {}) =>
  Object.values(
    newsOfPage(changes, page, { filter: OCTOBER, zone: 'UTC', isFirstPage: true, totals, ...others }),
  );

test('a transaction recorded late into the days of a list counts, however far below the first page', () => {
  const late = transaction('late', '2026-10-02T12:00:00.000Z');
  assert.deepEqual(news([change(101, late)]), [1, 0]);
  assert.deepEqual(news([change(101, late)], { isFirstPage: false }), [1, 0]);
  assert.deepEqual(news([change(100, late)]), [0, 0], 'it is in the totals');
  assert.deepEqual(news([change(101, late)], { totals: undefined }), [0, 0], 'nothing says that it is new');
  assert.deepEqual(news([change(101, transaction('other', '2026-11-02T12:00:00.000Z'))]), [0, 0]);
  assert.deepEqual(news([change(101, { ...late, status: 'pending' }), change(102, late, 'pending')]), [1, 0]);
});

test('a transaction that belongs on the first page counts without totals; a row of the page counts once it is no longer pending', () => {
  const newest = transaction('c', '2026-10-31T23:59:59.999Z');
  assert.deepEqual(news([change(7, newest)], { totals: undefined }), [1, 0]);
  assert.deepEqual(news([change(7, page.data[0] as Transaction)]), [0, 0]);
  assert.deepEqual(news([change(101, transaction('a', '2026-10-30T12:00:00.000Z'), 'pending')]), [0, 1]);
});

test('a change of status counts for the filter that it enters or leaves', () => {
  const paid = change(101, transaction('x', '2026-10-02T12:00:00.000Z'), 'pending');
  assert.deepEqual(news([paid]), [0, 1]);
  assert.deepEqual(news([paid], { filter: { ...OCTOBER, status: 'completed' } }), [1, 0]);
  assert.deepEqual(news([paid], { filter: { ...OCTOBER, status: 'pending' } }), [0, 1]);
  assert.deepEqual(news([paid], { filter: { ...OCTOBER, status: 'failed' } }), [0, 0]);
});

test('the sums differ by the changes that the totals do not include', () => {
  const changes = [
    change(100, transaction('known', '2026-10-02T12:00:00.000Z')),
    change(101, transaction('late', '2026-10-02T12:00:00.000Z')),
    change(102, transaction('a', '2026-10-30T12:00:00.000Z'), 'pending'),
    change(103, transaction('other', '2026-11-02T12:00:00.000Z')),
  ];
  assert.deepEqual(newSums(changes, totals, 'UTC'), [
    { currencyCode: 'EUR', status: 'completed', before: '1000.00', now: '1020.00' },
    { currencyCode: 'EUR', status: 'pending', before: '10.00', now: '0.00' },
  ]);
  assert.deepEqual(newSums(changes.slice(0, 1), totals, 'UTC'), []);
});
