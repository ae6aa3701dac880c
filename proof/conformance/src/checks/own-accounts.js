import { judgeList, settle } from '../own-lists.js';
import { readPage } from '../page-through.js';
import { addDays } from '../transaction.js';
import { checksOf } from './check.js';

/**
 * The order of these references by bytes is different from their order by a locale, by length or by number.
 */
const TRICKY = 'a A b B z Z a-b a.b a_b ab aB Ab a1 a10 a2 a02 1 10 2 - _ a- a. a_ 0 9 zz z-z'.split(' ');

const DAYS = ['2024-02-29', '2025-12-31', '2026-03-29'];

/** Floating-point arithmetic does not keep these amounts exact to the cent. */
const AMOUNTS = '0.01 0.10 1.10 12.05 4.35 1.15 8.20 1000000.00 8765432109876.53 9999999999999.99'.split(' ');

const TEXTS = [
  `O'Neil "x" \\ / <b>&amp;</b>`,
  'ünïcödé 💶 日本',
  ' both sides ',
  'null',
  '%_*?',
  'e\u0301',
  '\u00e9',
  'x'.repeat(255),
  '$(id) {{7*7}}',
  '=1+1',
];

const SIMILAR = [
  'order-1',
  'Order-1',
  'order-1 ',
  ' order-1',
  'order-10',
  'order_1',
  'order%',
  'e\u0301',
  '\u00e9',
  null,
  'null',
  'order-1',
  "'",
  'a&b=c',
  '+',
  '💶',
];

/** @param {number} index */
const minute = (index) => new Date(Date.UTC(2026, 0, 5) + index * 60_000).toISOString();
/** @param {readonly string[]} times */
const createdAt = (times) => times.map((time) => ({ createdAt: time }));

/**
 * @param {string} id @param {string} section @param {string} rule
 * @param {(t: Context) => Partial<Transaction>[]} rowsOf
 * @param {readonly Filter[]} [filters]
 */
const listed = (id, section, rule, rowsOf, filters = [{}]) => ({
  id,
  section,
  rule,
  async run(/** @type {Context} */ t) {
    const account = await t.account(id.replace('own.', ''));
    const rows = await Promise.all(
      rowsOf(t).map(({ reference, ...row }, index) =>
        account.record(reference ?? `row-${index}`, { createdAt: minute(index), ...row }),
      ),
    );
    if (filters.some(({ merchantReference }) => merchantReference !== undefined))
      await t.requireFilter('merchantReference', 'x');
    await t.each(filters, (filter) => judgeList(t, account.client, rows, filter));
  },
});

export default checksOf({ level: 'record', section: 'consistency', needs: 'operator' }, [
  {
    id: 'own.page-sizes',
    section: 'pages',
    rule: 'Accounts of 0, 1, 9, 10, 11, 20 and 21 transactions have pages of ten, no empty page at the end, and hasMore accordingly.',
    async record(t, account) {
      const rows = [];
      for (const count of [0, 1, 9, 10, 11, 20, 21]) {
        while (rows.length < count)
          rows.push(await account.record(`row-${rows.length}`, { createdAt: minute(rows.length) }));
        const { pages } = await settle(account.client, count);
        const sizes = pages.map(({ body }) => body.data.length);
        const length = Math.max(1, Math.ceil(count / 10));
        const expected = Array.from({ length }, (_, index) => Math.min(10, count - index * 10));
        t.same(sizes, expected, `the sizes of pages of ${count} transactions`, pages[0]);
        for (const [index, page] of pages.entries())
          t.same(page.body.hasMore, index + 1 < pages.length, `hasMore on page ${index + 1}`, page);
      }
    },
  },
  listed(
    'own.ties',
    'list',
    'Three pages of transactions of one millisecond come exactly once, ordered by reference, descending, byte by byte.',
    (t) => [
      ...t.random
        .sample(TRICKY, TRICKY.length)
        .map((reference) => ({ reference, createdAt: '2026-02-01T10:00:00.500Z' })),
      { reference: 'after', createdAt: '2026-02-01T10:00:00.501Z' },
      { reference: 'before', createdAt: '2026-02-01T10:00:00.499Z' },
    ],
    [{}, { status: 'pending', from: '2026-02-01', to: '2026-02-01' }],
  ),
  listed(
    'own.day-edges',
    'list',
    'A day has its transactions of 00:00:00.000 and of 23:59:59.999 UTC, but not those of the milliseconds before and after.',
    () =>
      DAYS.flatMap((day) => [
        { createdAt: `${addDays(day, -1)}T23:59:59.999Z` },
        {
          createdAt: `${day}T00:00:00.000Z`,
          status: 'completed',
          paidAt: `${addDays(day, 3)}T12:00:00.000Z`,
        },
        { createdAt: `${day}T23:59:59.999Z` },
        { createdAt: `${addDays(day, 1)}T00:00:00.000Z` },
      ]),
    DAYS.flatMap((day) => [
      { from: day, to: day },
      { from: day },
      { to: day },
      { from: addDays(day, -1), to: day },
      { from: day, to: addDays(day, 1) },
    ]),
  ),
  listed(
    'own.longest-range',
    'list',
    'A range of 90 days includes its first and last day in full.',
    () =>
      createdAt([
        '2025-12-31T23:59:59.999Z',
        '2026-01-01T00:00:00.000Z',
        '2026-04-01T23:59:59.999Z',
        '2026-04-02T00:00:00.000Z',
      ]),
    [{ from: '2026-01-01', to: '2026-04-01' }],
  ),
  listed(
    'own.history',
    'list',
    'A list without a range has transactions of every age.',
    () =>
      createdAt(
        ['1985-06-01', '1999-12-31', '2001-02-03', '2015-07-07', '2024-01-01', '2026-01-01'].map(
          (day) => `${day}T08:00:00.000Z`,
        ),
      ),
    [{}, { to: '2001-02-03' }, { from: '1999-12-31' }],
  ),
  listed(
    'own.filters',
    'list',
    'Every combination of status, currency and range returns exactly the transactions that match.',
    () =>
      Array.from({ length: 45 }, (_, index) => ({
        status: index % 3 === 0 ? 'pending' : 'completed',
        currencyCode: ['EUR', 'USD', 'JPY'][(index % 5) % 3],
        createdAt: `${addDays('2026-03-25', index % 9)}T${index % 2 === 0 ? '00:30' : '23:30'}:00.000Z`,
      })),
    [{}, { status: 'pending' }, { status: 'completed' }].flatMap((ofStatus) =>
      [{}, { currency: 'EUR' }, { currency: 'JPY' }, { currency: 'CHF' }].flatMap((ofCurrency) =>
        [{}, { from: '2026-03-27', to: '2026-03-29' }, { from: '2026-03-31' }, { to: '2026-03-26' }].map(
          (range) => ({ ...ofStatus, ...ofCurrency, ...range }),
        ),
      ),
    ),
  ),
  {
    id: 'own.isolation',
    section: 'list',
    rule: 'Two accounts with the same references see only their own transactions, with every filter.',
    async run(t) {
      const [one, two] = await Promise.all([t.account('one'), t.account('two')]);
      const statuses = ['pending', 'completed'];
      const [rows, others] = await Promise.all([
        one.recordMany(13, (index) => ({ amount: '1.00', status: statuses[index % 2] })),
        two.recordMany(17, (index) => ({ amount: '2.00', status: statuses[(index + 1) % 2] })),
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
      const foreign = await two.client.list({ cursor: String(nextCursor) });
      t.fault(foreign, 'cursor_malformed', 'cursor', "another account's cursor");
    },
  },
  {
    id: 'own.read-your-writes',
    requirement: 'SHOULD',
    rule: 'A transaction is in the list as soon as its recording is acknowledged.',
    async record(t, account) {
      for (let index = 0; index < 8; index++) {
        const row = await account.record(`row-${index}`, { createdAt: minute(index) });
        const page = await account.client.list();
        t.same(readPage(page).data[0]?.reference, row.reference, 'the newest transaction', page);
      }
    },
  },
  listed(
    'own.amounts',
    'money',
    'Amounts are exact to the cent, large or small, with two decimals in every currency.',
    () => AMOUNTS.map((amount, index) => ({ amount, currencyCode: ['EUR', 'JPY', 'KWD'][index % 3] })),
  ),
  listed(
    'own.texts',
    'transactions',
    'A merchantReference comes back as it was recorded, to the last character.',
    () => TEXTS.map((merchantReference) => ({ merchantReference })),
  ),
  listed(
    'own.merchant-reference',
    'list',
    'Where there is a filter merchantReference, it is exact: it distinguishes case, accents and spaces, and has no wildcards.',
    () => SIMILAR.map((merchantReference) => ({ merchantReference })),
    [...new Set(SIMILAR)].flatMap((merchantReference) =>
      merchantReference === null ? [] : [{ merchantReference }],
    ),
  ),
]);
