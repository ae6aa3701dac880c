import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_FILTER } from '../list/list.ts';
import type { SearchQuery } from './search.ts';
import { MAX_COMPARED_BY_SEARCH, searchTransactions } from './search-transactions.ts';

const TEXT = `${'o'.repeat(63)}x`;

const QUERY: SearchQuery = {
  account: 'store-1',
  filter: NO_FILTER,
  terms: {
    amountFromMinor: null,
    amountToMinor: null,
    paidFromMs: null,
    paidBeforeMs: null,
    text: TEXT,
  },
  after: null,
};

async function stepsOf(stepMs: number, rowMs: number): Promise<number[]> {
  let nowMs = 0;
  const steps: number[] = [];
  const searcher = {
    searchTransactions: async (_: SearchQuery, compared: number) => {
      steps.push(compared);
      nowMs += stepMs + compared * rowMs;
      return { transactions: [], end: { createdAtMs: -steps.length, reference: 'r' } };
    },
  };
  await searchTransactions(searcher, QUERY, {
    monotonicMs: () => nowMs,
    gone: new AbortController().signal,
  });
  return steps;
}

test('a search compares few rows in each step if rows take long', async () => {
  for (const [rowMs, most] of [
    [1, 31],
    [5, 15],
  ] as const) {
    const steps = await stepsOf(0.2, rowMs);
    assert.ok(steps.length > 5, String(steps));
    assert.ok(Math.max(...steps) <= most, String(steps));
  }
});

test('a search of quick rows compares as many as a request may, in a few steps', async () => {
  const steps = await stepsOf(0.2, 0.003);
  const compared = steps.reduce((sum, length) => sum + length, 0);
  assert.ok(compared > MAX_COMPARED_BY_SEARCH - 100 && compared <= MAX_COMPARED_BY_SEARCH, String(steps));
  assert.ok(steps.length < 20, String(steps));
});

test('a distant database gets no more steps than a near one', async () => {
  const steps = await stepsOf(15, 0.003);
  assert.equal(Math.max(...steps), 2000);
});
