import { judgeComplete } from '../judge-filter.js';
import { causeOfOrder, judgeOrder, lossOf, pageThrough } from '../page-through.js';
import { addDays, dayOf, showFilter, showRow } from '../transaction.js';
import { checksOf } from './check.js';

/** @param {Context} t */
async function neighbours(t) {
  const { pages } = await t.facts.window();
  const all = pages.flatMap((page) =>
    page.body.data.map((/** @type {Transaction} */ row) => ({ row, page })),
  );
  return all.slice(1).map(({ row: second, page }, index) => ({ first: all[index].row, second, page }));
}

/** @param {Context} t */
const secondWindow = (t) => t.facts.once('second window', () => t.facts.windowLater());

export default checksOf({ level: 'list', section: 'consistency' }, [
  {
    id: 'list.order.newest-first',
    section: 'list',
    rule: 'The list is ordered by createdAt, newest first, within pages and from page to page.',
    async run(t) {
      for (const { first, second, page } of await neighbours(t))
        t.that(
          first.createdAt >= second.createdAt,
          `nothing newer after ${showRow(first)}`,
          showRow(second),
          page,
          causeOfOrder(first, second),
        );
    },
  },
  {
    id: 'list.order.ties',
    section: 'list',
    rule: 'Transactions of one millisecond are ordered by reference, descending, byte by byte.',
    async run(t) {
      const ties = (await neighbours(t)).filter(({ first, second }) => first.createdAt === second.createdAt);
      if (ties.length === 0) t.notJudged('no two transactions have the same createdAt');
      for (const { first, second, page } of ties)
        if (first.reference !== second.reference) judgeOrder(t, first, second, page);
    },
  },
  {
    id: 'pages.at-most-once',
    rule: 'No transaction appears twice in all pages.',
    async run(t) {
      const seen = new Set();
      for (const page of (await t.facts.window()).pages)
        for (const row of page.body.data) {
          t.that(!seen.has(row.reference), 'each transaction once', `${showRow(row)} again`, page);
          seen.add(row.reference);
        }
    },
  },
  {
    id: 'pages.repeatable',
    rule: 'Reading all pages again returns every transaction that the first reading returned.',
    async run(t) {
      const first = await t.facts.rows();
      const second = await secondWindow(t);
      const seen = new Set(second.rows.map(({ reference }) => reference));
      for (const row of first) {
        const { page, cause } = lossOf(second, row);
        t.that(seen.has(row.reference), `${showRow(row)} again`, 'not there', page, cause);
      }
    },
  },
  {
    id: 'pages.unchanging',
    section: 'transactions',
    rule: 'Amount, currency and createdAt never change, and neither does a status other than pending.',
    async run(t) {
      const first = new Map((await t.facts.rows()).map((row) => [row.reference, row]));
      const second = await secondWindow(t);
      for (const row of second.rows) {
        const before = first.get(row.reference);
        if (before === undefined) continue;
        const unchanging = (/** @type {Transaction} */ { amount, currencyCode, createdAt, status }) => [
          amount,
          currencyCode,
          createdAt,
          before.status === 'pending' ? null : status,
        ];
        t.same(unchanging(row), unchanging(before), `the fields of ${row.reference}`, second.pages[0]);
      }
    },
  },
  {
    id: 'pages.boundaries',
    rule: 'Pages that begin at another place have the same transactions.',
    async run(t) {
      const days = [...new Set((await t.facts.rows()).map(dayOf))];
      for (const to of t.random.sample(days.slice(1), 3)) await judgeComplete(t, { to });
    },
  },
  {
    id: 'pages.no-default-window',
    section: 'list',
    rule: 'Without from and to, the list is the whole history.',
    async run(t) {
      const { rows, pages, isComplete } = await t.facts.window();
      const last = rows.at(-1);
      if (!isComplete || last === undefined)
        return t.notJudged('the account is too large to be read to its end');
      const listed = new Set(rows.map(({ reference }) => reference));
      // `to` and `from` are also sent alone: a service might use a wrong default for the missing one.
      const to = dayOf(last);
      for (const filter of [{ to }, { from: '0001-01-01' }, { from: addDays(to, -90), to }]) {
        const range = await pageThrough(t.client, filter, { maxPages: pages.length + 20 });
        if (range.rows.some(({ reference }) => !listed.has(reference))) {
          const again = await t.facts.windowLater();
          for (const { reference } of again.rows) listed.add(reference);
        }
        for (const row of range.rows) {
          const expected = `${showRow(row)} in the list without filters, as in ${showFilter(filter)}`;
          t.that(listed.has(row.reference), expected, 'not there', pages.at(-1));
        }
      }
    },
  },
  {
    id: 'pages.foreign',
    section: 'authentication',
    rule: 'Only the transactions of the account that the key belongs to are returned.',
    needs: 'second key',
    async run(t) {
      const other = await t.deployment.second();
      const own = new Map((await t.facts.rows()).map((row) => [row.reference, JSON.stringify(row)]));
      const { rows, pages } = await pageThrough(other, {}, { maxPages: 10 });
      const shared = rows.filter((row) => own.get(row.reference) === JSON.stringify(row));
      if (rows.length === 0) t.notJudged('the second account has no transactions');
      const got = `${showRow(shared[0])}; the second key must be of another account`;
      t.that(shared.length === 0, 'no transaction of the first account', got, pages[0]);
    },
  },
]);
