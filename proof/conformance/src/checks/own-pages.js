import { judgeUnchanged, settle } from '../own-lists.js';
import { pageThrough } from '../page-through.js';
import { checksOf } from './check.js';

/** Five rows have the same millisecond, so that a page can end between two of them. @param {number} index */
const tied = (index) => new Date(Date.UTC(2026, 1, 1, 12) + Math.floor(index / 5)).toISOString();

/**
 * Runs `change` before the second page and each later page. The pages must contain all rows, except those
 * whose references `change` returned.
 * @param {Context} t @param {string} name @param {number} count @param {Filter} filter
 * @param {(account: OwnAccount, rows: readonly Transaction[], page: number, last: string | undefined) =>
 *   Promise<readonly string[]>} change
 */
async function judgeMeanwhile(t, name, count, filter, change) {
  const account = await t.account(name);
  const rows = await account.recordMany(count, (index) => ({ createdAt: tied(index) }));
  await settle(account.client, count);
  /** @type {Set<string>} */
  const changed = new Set();
  const read = await pageThrough(account.client, filter, {
    beforePage: async (page, before) => {
      for (const one of await change(account, rows, page, before.at(-1)?.reference)) changed.add(one);
    },
  });
  const unchanged = rows.map(({ reference }) => reference).filter((reference) => !changed.has(reference));
  judgeUnchanged(t, read, unchanged);
}

export default checksOf({ level: 'record', section: 'consistency', needs: 'operator' }, [
  {
    id: 'live.inserts',
    rule: 'While newer, older and tied transactions are recorded, the pages have each transaction that existed before exactly once.',
    run: (t) =>
      judgeMeanwhile(t, 'inserts', 45, {}, async (account, _, page) => {
        for (const [place, createdAt] of [
          ['newest', '2026-03-01T00:00:00.000Z'],
          ['oldest', '2026-01-01T00:00:00.000Z'],
          ['tie', tied(45 - page * 10)],
          ['next-tie', tied(44 - page * 10)],
        ])
          for (const before of ['a', 'z']) await account.record(`${before}-${place}-${page}`, { createdAt });
        return [];
      }),
  },
  {
    id: 'live.payments',
    rule: 'While transactions are paid, the unfiltered pages have each of them exactly once.',
    run: (t) =>
      judgeMeanwhile(t, 'payments', 35, {}, async (account, rows, page) => {
        for (const row of rows.filter((_, index) => index % 4 === page)) await account.pay(row);
        return [];
      }),
  },
  {
    id: 'live.filtered',
    rule: 'While transactions stop matching the filter, even the last one of a page, the pages have each remaining match exactly once.',
    run: (t) =>
      judgeMeanwhile(t, 'filtered', 48, { status: 'pending' }, async (account, rows, _, last) => {
        const place = rows.findIndex(({ reference }) => reference === last);
        const leaving = [rows[place], rows[place - 4]].filter((row) => row !== undefined);
        for (const row of leaving) await account.pay(row);
        return leaving.map(({ reference }) => reference);
      }),
  },
  {
    id: 'live.cursor-stays',
    section: 'cursors',
    rule: 'A cursor keeps its position: used again after many recordings, it returns the same page.',
    async record(t, account) {
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
