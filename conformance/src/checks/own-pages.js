import { judgePages, settle } from '../own-lists.js';
import { pageThrough } from '../page-through.js';
import { checksOf } from './check.js';

/** @typedef {import('./check.js').Context} Context */

/** Five rows of each millisecond, so that pages end between ties. @param {number} index */
const tied = (index) => new Date(Date.UTC(2026, 1, 1, 12) + Math.floor(index / 5)).toISOString();

const PAGES = checksOf({ level: 'record', section: 'consistency', needs: 'operator' }, [
  {
    id: 'live.inserts',
    rule: 'While transactions are recorded, newer and older ones and ties, the pages have each that existed before exactly once.',
    async run(t) {
      const account = await t.account('inserts');
      const rows = await account.recordMany(45, (index) => ({ createdAt: tied(index) }));
      await settle(account.client, 45);
      const result = await pageThrough(
        account.client,
        {},
        {
          beforePage: async (page) => {
            for (const [place, createdAt] of [
              ['newest', '2026-03-01T00:00:00.000Z'],
              ['oldest', '2026-01-01T00:00:00.000Z'],
              ['tie', tied(45 - page * 10)],
              ['next-tie', tied(44 - page * 10)],
            ])
              for (const before of ['a', 'z'])
                await account.record(`${before}-${place}-${page}`, { createdAt });
          },
        },
      );
      judgePages(
        t,
        result,
        rows.map(({ reference }) => reference),
      );
    },
  },
  {
    id: 'live.payments',
    rule: 'While transactions are paid, the pages without filters have each of them exactly once.',
    async run(t) {
      const account = await t.account('payments');
      const rows = await account.recordMany(35, (index) => ({ createdAt: tied(index) }));
      await settle(account.client, 35);
      const result = await pageThrough(
        account.client,
        {},
        {
          beforePage: async (page) => {
            for (const { reference, createdAt } of rows.filter((_, index) => index % 4 === page))
              await account.record(reference, { createdAt, status: 'completed' });
          },
        },
      );
      judgePages(
        t,
        result,
        rows.map(({ reference }) => reference),
      );
    },
  },
  {
    id: 'live.filtered',
    rule: 'While transactions leave the filter, also the last one of a page, its pages have those that stay exactly once.',
    async run(t) {
      const account = await t.account('filtered');
      const rows = await account.recordMany(48, (index) => ({ createdAt: tied(index) }));
      await settle(account.client, 48);
      const paid = new Set();
      const byReference = new Map(rows.map((row) => [row.reference, row]));
      const pay = async (/** @type {string | undefined} */ reference) => {
        const row = byReference.get(reference ?? '');
        if (row === undefined || paid.has(row.reference)) return;
        paid.add(row.reference);
        await account.record(row.reference, { createdAt: row.createdAt, status: 'completed' });
      };
      const result = await pageThrough(
        account.client,
        { status: 'pending' },
        {
          beforePage: async (_, read) => {
            // Also the one at which the cursor stands, and one that was not read yet.
            const place = rows.findIndex(({ reference }) => reference === read.at(-1)?.reference);
            await pay(rows[place]?.reference);
            await pay(rows[place - 4]?.reference);
          },
        },
      );
      judgePages(
        t,
        result,
        rows.map(({ reference }) => reference).filter((reference) => !paid.has(reference)),
      );
    },
  },
  {
    id: 'live.cursor-stays',
    section: 'cursors',
    rule: 'A cursor stays at its place: used again after many recordings, it returns what it returned before.',
    async run(t) {
      const account = await t.account('cursor-stays');
      await account.recordMany(25, (index) => ({ createdAt: tied(index) }));
      await settle(account.client, 25);
      const first = await account.client.list();
      const cursor = first.body?.nextCursor;
      const before = t.status(await account.client.list({ cursor }), 200, 'the page of the cursor');
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          account.record(`new-${index}`, { createdAt: `2026-02-02T00:00:00.0${10 + index}Z` }),
        ),
      );
      const after = await account.client.list({ cursor });
      t.same(after.body?.data, before.body?.data, 'the page of the cursor', after);
    },
  },
]);

export default PAGES;
