import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CursorExpiredError } from '../../client/src/errors.ts';
import { fc } from '../../test/rig/run/properties.ts';
import type { Api, Transaction } from './api.ts';
import { loadListPage } from './list-page.ts';

const AT_ONCE = 100;
const NEVER = new AbortController().signal;

function searchOf(references: readonly string[], isEmptyFirst: boolean): Pick<Api, 'search'> {
  return {
    search: async ({ cursor }) => {
      const [after = '', isNext] = (cursor ?? '').split('.');
      const empty = { data: [], nextCursor: `${after}.next`, hasMore: true };
      if (isEmptyFirst && isNext === undefined) return empty as never;
      const from = after === '' ? 0 : references.indexOf(after) + 1;
      const found = references.slice(from, from + AT_ONCE);
      const last = found.at(-1);
      const hasMore = from + AT_ONCE < references.length;
      const data = found.map((reference) => ({ reference }) as Transaction);
      return { data, nextCursor: hasMore ? `${last}` : null, hasMore } as never;
    },
  };
}

test('a page of a list by day of payment has the chosen number of rows, each once, whatever is recorded meanwhile', async () => {
  const filter = { from: '2026-05-01', to: '2026-05-31', by: 'payment' };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 350 }),
      fc.constantFrom(10, 20, 50, 100),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 12 }),
      fc.boolean(),
      async (count, rows, places, isEmptyFirst) => {
        const first = Array.from({ length: count }, (_, index) => `p${index}`);
        const shown = [...first];
        const pages: string[][] = [];
        for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
          const api = searchOf(shown, isEmptyFirst) as Api;
          const page = await loadListPage(api, filter, 'UTC', { cursor, rows }, NEVER);
          pages.push(page.data.map(({ reference }) => reference));
          cursor = page.nextCursor;
          assert.equal(page.hasMore, cursor !== null);
          const place = places[pages.length];
          if (place !== undefined) shown.splice(Math.min(place, shown.length), 0, `new${pages.length}`);
        }
        const all = pages.flat();
        assert.deepEqual(
          all.filter((one) => one.startsWith('p')),
          first,
        );
        assert.equal(new Set(all).size, all.length);
        assert.ok(pages.slice(0, -1).every((page) => page.length === rows));
      },
    ),
  );
});

test('a list by day of payment loses no row after one that was archived between two pages', async () => {
  const filter = { from: '2026-05-01', to: '2026-05-31', by: 'payment' };
  const shown = Array.from({ length: 150 }, (_, index) => `p${index}`);
  const load = (cursor: string | null) =>
    loadListPage(searchOf(shown, false) as Api, filter, 'UTC', { cursor, rows: 20 }, NEVER);
  const { data, nextCursor } = await load(null);
  shown.splice(shown.indexOf(data.at(-1)?.reference ?? ''), 1);
  const seen = new Set(data.map(({ reference }) => reference));
  for (let cursor = nextCursor; cursor !== null; ) {
    const page = await load(cursor);
    for (const { reference } of page.data) seen.add(reference);
    cursor = page.nextCursor;
  }
  assert.deepEqual(
    [...shown].filter((reference) => !seen.has(reference)),
    [],
  );
});

test('a list by day of payment continues after its last row, also if its cursor has expired meanwhile', async () => {
  const filter = { from: '2026-05-01', to: '2026-05-31', by: 'payment' };
  const references = Array.from({ length: 250 }, (_, index) => `p${index}`);
  const search: Api['search'] = async (query, signal) => {
    if (query.cursor !== 'p99') return searchOf(references, false).search(query, signal);
    throw Object.assign(Object.create(CursorExpiredError.prototype), { cursor: 'p99.next' });
  };
  const from = { cursor: 'p99~p119', rows: 20 };
  const { data, nextCursor } = await loadListPage({ search } as Api, filter, 'UTC', from, NEVER);
  assert.deepEqual(
    data.map(({ reference }) => reference),
    references.slice(120, 140),
  );
  assert.equal(nextCursor, 'p99.next~p139');
});

test('a list by day of payment sends its filters with each cursor, because a cursor omits a long reference', async () => {
  const filter = { from: '2026-05-01', by: 'payment', merchantReference: 'a'.repeat(255) };
  const references = Array.from({ length: 150 }, (_, index) => `p${index}`);
  const sent: (string | undefined)[] = [];
  const search: Api['search'] = (query, signal) => {
    sent.push(query.merchantReference);
    return searchOf(references, false).search(query, signal);
  };
  const from = { cursor: null, rows: 120 };
  await loadListPage({ search } as Api, filter, 'UTC', from, NEVER);
  assert.deepEqual(sent, [filter.merchantReference, filter.merchantReference]);
});
