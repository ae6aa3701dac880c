import { judgeList, settle } from '../own-lists.js';
import { readPage } from '../page-through.js';
import { addDays } from '../transaction.js';
import { checksOf } from './check.js';

/**
 * @typedef {import('./check.js').Context} Context
 * @typedef {import('../transaction.js').Transaction} Transaction
 */

/** References whose order by bytes differs from that by a locale, by length and by number. */
const TRICKY = [
  'a',
  'A',
  'b',
  'B',
  'z',
  'Z',
  'a-b',
  'a.b',
  'a_b',
  'ab',
  'aB',
  'Ab',
  'a1',
  'a10',
  'a2',
  'a02',
  '1',
  '10',
  '2',
  '-',
  '_',
  'a-',
  'a.',
  'a_',
  '0',
  '9',
  'zz',
  'z-z',
];

const DAYS = ['2024-02-29', '2025-12-31', '2026-03-29'];

const OWN = checksOf({ level: 'record', section: 'consistency', needs: 'operator' }, [
  {
    id: 'own.page-sizes',
    section: 'pages',
    rule: 'Accounts of 0, 1, 9, 10, 11, 20 and 21 transactions have pages of ten, no empty page at the end, and hasMore accordingly.',
    async run(t) {
      const account = await t.account('page-sizes');
      const rows = [];
      for (const count of [0, 1, 9, 10, 11, 20, 21]) {
        while (rows.length < count)
          rows.push(await account.record(`row-${rows.length}`, { createdAt: minute(rows.length) }));
        const { pages } = await settle(account.client, count);
        const sizes = pages.map(({ body }) => body.data.length);
        const expected =
          count === 0
            ? [0]
            : Array.from({ length: Math.ceil(count / 10) }, (_, page) => Math.min(10, count - page * 10));
        t.same(sizes, expected, `the sizes of pages of ${count} transactions`, pages[0]);
        for (const [index, { body }] of pages.entries())
          t.same(
            body.hasMore,
            index + 1 < pages.length,
            `hasMore on page ${index + 1} of ${count} transactions`,
            pages[index],
          );
      }
    },
  },
  {
    id: 'own.ties',
    section: 'list',
    rule: 'Three pages of transactions of one millisecond come exactly once, ordered by reference, descending, byte by byte.',
    async run(t) {
      const account = await t.account('ties');
      const rows = await Promise.all([
        ...t.random
          .sample(TRICKY, TRICKY.length)
          .map((reference) => account.record(reference, { createdAt: '2026-02-01T10:00:00.500Z' })),
        account.record('after', { createdAt: '2026-02-01T10:00:00.501Z' }),
        account.record('before', { createdAt: '2026-02-01T10:00:00.499Z' }),
      ]);
      await judgeList(t, account.client, rows);
      await judgeList(t, account.client, rows, { status: 'pending', from: '2026-02-01', to: '2026-02-01' });
    },
  },
  {
    id: 'own.day-edges',
    section: 'list',
    rule: 'A day has its transactions of 00:00:00.000 and of 23:59:59.999 UTC, and none of the milliseconds before and after.',
    async run(t) {
      const account = await t.account('day-edges');
      const times = DAYS.flatMap((day) => [
        `${addDays(day, -1)}T23:59:59.999Z`,
        `${day}T00:00:00.000Z`,
        `${day}T23:59:59.999Z`,
        `${addDays(day, 1)}T00:00:00.000Z`,
      ]);
      const rows = await Promise.all(
        times.map((createdAt, index) => {
          // Paid on another day: only createdAt counts.
          const paid = { status: 'completed', paidAt: `${addDays(createdAt.slice(0, 10), 3)}T12:00:00.000Z` };
          return account.record(`edge-${index}`, { createdAt, ...(index % 2 === 1 && paid) });
        }),
      );
      for (const day of DAYS)
        for (const filter of [
          { from: day, to: day },
          { from: day },
          { to: day },
          { from: addDays(day, -1), to: day },
          { from: day, to: addDays(day, 1) },
        ])
          await judgeList(t, account.client, rows, filter);
    },
  },
  {
    id: 'own.longest-range',
    section: 'list',
    rule: 'A range of 90 days has both of its last days in full.',
    async run(t) {
      const account = await t.account('longest-range');
      const times = [
        '2025-12-31T23:59:59.999Z',
        '2026-01-01T00:00:00.000Z',
        '2026-04-01T23:59:59.999Z',
        '2026-04-02T00:00:00.000Z',
      ];
      const rows = await Promise.all(
        times.map((createdAt, index) => account.record(`edge-${index}`, { createdAt })),
      );
      await judgeList(t, account.client, rows, { from: '2026-01-01', to: '2026-04-01' });
    },
  },
  {
    id: 'own.history',
    section: 'list',
    rule: 'A list without a range has transactions of every age.',
    async run(t) {
      const account = await t.account('history');
      const rows = await Promise.all(
        ['1985-06-01', '1999-12-31', '2001-02-03', '2015-07-07', '2024-01-01', '2026-01-01'].map((day) =>
          account.record(`day-${day}`, { createdAt: `${day}T08:00:00.000Z` }),
        ),
      );
      await judgeList(t, account.client, rows);
      await judgeList(t, account.client, rows, { to: '2001-02-03' });
      await judgeList(t, account.client, rows, { from: '1999-12-31' });
    },
  },
  {
    id: 'own.filters',
    section: 'list',
    rule: 'Every combination of status, currency and range returns exactly the transactions that match.',
    async run(t) {
      const account = await t.account('filters');
      const rows = await account.recordMany(45, (index) => ({
        status: index % 3 === 0 ? 'pending' : 'completed',
        currencyCode: ['EUR', 'USD', 'JPY'][(index % 5) % 3],
        createdAt: `${addDays('2026-03-25', index % 9)}T${index % 2 === 0 ? '00:30' : '23:30'}:00.000Z`,
      }));
      const statuses = [undefined, 'pending', 'completed'];
      const currencies = [undefined, 'EUR', 'JPY', 'CHF'];
      const ranges = [
        {},
        { from: '2026-03-27', to: '2026-03-29' },
        { from: '2026-03-31' },
        { to: '2026-03-26' },
      ];
      const filters = statuses.flatMap((status) =>
        currencies.flatMap((currency) =>
          ranges.map((range) => ({ ...(status && { status }), ...(currency && { currency }), ...range })),
        ),
      );
      await t.each(filters, (filter) => judgeList(t, account.client, rows, filter));
    },
  },
  {
    id: 'own.isolation',
    section: 'list',
    rule: 'Two accounts with the same references see only their own transactions, with every filter.',
    async run(t) {
      const [one, two] = await Promise.all([t.account('one'), t.account('two')]);
      const [rows, others] = await Promise.all([
        one.recordMany(13, (index) => ({
          amount: '1.00',
          status: index % 2 === 0 ? 'pending' : 'completed',
        })),
        two.recordMany(17, (index) => ({
          amount: '2.00',
          status: index % 2 === 0 ? 'completed' : 'pending',
        })),
      ]);
      for (const filter of [
        {},
        { status: 'pending' },
        { currency: 'EUR' },
        { from: '2026-01-10', to: '2026-01-10' },
        { status: 'completed', currency: 'EUR', from: '2026-01-01' },
      ]) {
        await judgeList(t, one.client, rows, filter);
        await judgeList(t, two.client, others, filter);
      }
      const { nextCursor } = readPage(await one.client.list());
      t.fault(
        await two.client.list({ cursor: String(nextCursor) }),
        'cursor_malformed',
        'cursor',
        "another account's cursor",
      );
    },
  },
  {
    id: 'own.read-your-writes',
    requirement: 'SHOULD',
    rule: 'A transaction is in the list as soon as its recording is acknowledged.',
    async run(t) {
      const account = await t.account('read-your-writes');
      for (let index = 0; index < 8; index++) {
        const row = await account.record(`row-${index}`, { createdAt: minute(index) });
        const page = await account.client.list();
        t.same(readPage(page).data[0]?.reference, row.reference, 'the newest transaction', page);
      }
    },
  },
]);

/** @param {number} index */
const minute = (index) => new Date(Date.UTC(2026, 0, 5) + index * 60_000).toISOString();

export default OWN;
