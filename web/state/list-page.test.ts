import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CursorExpiredError } from '../../client/src/errors.ts';
import { fc } from '../../test/rig/run/properties.ts';
import type { Api, Transaction } from './api.ts';
import { loadListPage } from './list-page.ts';

const NEVER = new AbortController().signal;
const BY_PAYMENT = { from: '2026-05-01', to: '2026-05-31', by: 'payment' };

const row = (place: number): Transaction =>
  ({ createdAt: `at${String(place).padStart(6, '0')}`, reference: `p${place}` }) as Transaction;
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => row(1000 - index));
const referencesOf = (rows: readonly Transaction[]) => rows.map(({ reference }) => reference);

function apiOf(rows: readonly Transaction[], isEmptyFirst = false): Api {
  const read =
    (atOnce: number): Api['page'] =>
    async ({ cursor }) => {
      const [after = '', isNext] = (cursor ?? '').split('.');
      const empty = { data: [], nextCursor: `${after}.next`, hasMore: true };
      if (isEmptyFirst && isNext === undefined) return empty;
      const older = rows.filter(({ createdAt }) => after === '' || createdAt < after);
      const data = older.slice(0, atOnce);
      const hasMore = older.length > data.length;
      return { data, nextCursor: hasMore ? `${data.at(-1)?.createdAt}` : null, hasMore };
    };
  return { page: read(10), search: read(100) } as never;
}

test('a page of a list has the chosen number of rows, each once, whatever is recorded or removed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 350 }),
      fc.constantFrom(10, 25, 50, 100),
      fc.constantFrom({}, BY_PAYMENT),
      fc.boolean(),
      fc.array(fc.record({ place: fc.integer({ min: 0, max: 400 }), isRemoved: fc.boolean() })),
      async (count, size, filter, isEmptyFirst, events) => {
        const rows = rowsOf(count);
        const kept = new Set(rows);
        const pages: (readonly Transaction[])[] = [];
        for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
          const api = apiOf(rows, isEmptyFirst);
          const page = await loadListPage(api, filter, 'UTC', { cursor, rows: size }, NEVER);
          pages.push(page.data);
          cursor = page.nextCursor;
          assert.equal(page.hasMore, cursor !== null);
          const { place = 0, isRemoved } = events[pages.length] ?? {};
          const at = rows[place];
          if (at === undefined) continue;
          const added = { ...at, createdAt: `${at.createdAt}b`, reference: `new${pages.length}` };
          rows.splice(place, isRemoved ? 1 : 0, ...(isRemoved ? [] : [added]));
          if (isRemoved) kept.delete(at);
        }
        const all = pages.flat();
        assert.equal(new Set(referencesOf(all)).size, all.length);
        assert.deepEqual(
          all.filter((one) => kept.has(one)),
          [...kept],
        );
        assert.ok(pages.slice(0, -1).every((page) => page.length === size));
      },
    ),
  );
});

for (const [name, filter] of Object.entries({ createdAt: {}, paidAt: BY_PAYMENT }))
  test(`a list by ${name} continues after its last row, also if its cursor has expired meanwhile`, async () => {
    const rows = rowsOf(250);
    const api = apiOf(rows);
    const size = 125;
    const first = await loadListPage(api, filter, 'UTC', { cursor: null, rows: size }, NEVER);
    const expired = first.nextCursor?.split('~')[0];
    const expiring =
      (read: Api['page']): Api['page'] =>
      async (query) => {
        if (query.cursor !== expired) return read(query);
        throw Object.assign(Object.create(CursorExpiredError.prototype), { cursor: `${expired}.next` });
      };
    const later = { page: expiring(api.page), search: expiring(api.search as never) } as never;
    const second = await loadListPage(later, filter, 'UTC', { cursor: first.nextCursor, rows: size }, NEVER);
    assert.deepEqual(referencesOf(second.data), referencesOf(rows.slice(size)));
  });

test('a list by day of payment sends its filters with each cursor, because a cursor omits a long reference', async () => {
  const filter = { from: '2026-05-01', by: 'payment', merchantReference: 'a'.repeat(255) };
  const sent: (string | undefined)[] = [];
  const search: Api['search'] = (query, signal) => {
    sent.push(query.merchantReference);
    return apiOf(rowsOf(150)).search(query, signal);
  };
  await loadListPage({ search } as Api, filter, 'UTC', { cursor: null, rows: 120 }, NEVER);
  assert.deepEqual(sent, [filter.merchantReference, filter.merchantReference]);
});
