import { readExported } from '../export-file.js';
import { judgeFilterFaults, keyNeeded } from '../judge-refusals.js';
import { Broken } from '../outcomes.js';
import { pageThrough } from '../page-through.js';
import { byMonth, normal, totalsOf, withoutDays } from '../sums.js';
import { zoneDays } from '../time-zones.js';
import { addDays, dayIn, matches } from '../transaction.js';
import { checksOf } from './check.js';

const MAX_PAGES = 160;

/** @param {AccountClient} client @param {Query} query */
const send = (client, query) => client.send('/v1/totals', { query });

/**
 * @param {AccountClient} client @param {Record<string, string | undefined>} [query]
 * @returns {Promise<{ data: Total[], asOf: number, page: Exchange }>}
 */
async function readTotals(client, query = {}) {
  const page = await send(client, query);
  const isRight =
    page.status === 200 && Array.isArray(page.body?.data) && Number.isSafeInteger(page.body.asOf);
  if (!isRight) throw new Broken('totals with data and asOf', page.summary, page.curl, page.lackOf(200));
  return { ...page.body, page };
}

/**
 * @template T @param {Context} t @param {() => Promise<T>} read
 * @returns {Promise<{ totals: Awaited<ReturnType<typeof readTotals>>, value: T }>}
 */
async function together(t, read) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const totals = await readTotals(t.client);
    const value = await read();
    if ((await readTotals(t.client)).asOf === totals.asOf) return { totals, value };
  }
  return t.notJudged('something was recorded during each of four attempts');
}

export default checksOf({ level: 'totals', section: 'totals' }, [
  {
    id: 'totals.form',
    rule: 'A row of totals has currencyCode, status, a count above 0 and an amount with two decimals; with by=day also a day, and with by=month also a month.',
    async run(t) {
      for (const by of ['', 'day', 'month']) {
        const { data, page } = await readTotals(t.client, by === '' ? {} : { by });
        for (const { day, month, currencyCode, status, count, amount } of data) {
          const isRight =
            /^[A-Z]{3}$/.test(currencyCode) &&
            typeof status === 'string' &&
            Number.isSafeInteger(count) &&
            count > 0 &&
            /^-?\d+\.\d\d$/.test(amount) &&
            (by === 'day' ? /^\d{4}-\d\d-\d\d$/.test(day ?? '') : day === undefined) &&
            (by === 'month' ? /^\d{4}-\d\d$/.test(month ?? '') : month === undefined);
          const row = { day, month, currencyCode, status, count, amount };
          t.that(isRight, 'a row of this form', JSON.stringify(row), page);
        }
      }
    },
  },
  {
    id: 'totals.order',
    rule: 'Rows are ordered by day, currency and status, and no two have the same.',
    async run(t) {
      const { data, page } = await readTotals(t.client, { by: 'day' });
      const names = data.map(({ day, currencyCode, status }) => `${day} ${currencyCode} ${status}`);
      for (const [index, name] of names.slice(1).entries())
        t.that(names[index] < name, `a row after ${names[index]}`, name, page);
    },
  },
  {
    id: 'totals.as-list',
    rule: 'Totals agree with the list to the cent.',
    async run(t) {
      if (!(await t.facts.window()).isComplete) return judgeDay(t);
      const { totals, value } = await together(t, () => pageThrough(t.client, {}, { maxPages: MAX_PAGES }));
      if (!value.isComplete) t.notJudged('the account grew too much during the run');
      t.same(normal(totals.data), totalsOf(value.rows), 'the totals of the list', totals.page);
    },
  },
  {
    id: 'totals.by-day',
    rule: 'The totals of the days add up to those without by=day, and each equals the totals of that day as a range.',
    async run(t) {
      const { totals, value } = await together(t, () => readTotals(t.client, { by: 'day' }));
      t.same(withoutDays(value.data), normal(totals.data), 'the sum of the days', value.page);
      const days = [...new Set(value.data.map(({ day }) => String(day)))];
      for (const day of t.random.sample(days, 3)) {
        const one = await readTotals(t.client, { from: day, to: day });
        if (one.asOf !== totals.asOf) continue;
        const rows = value.data.filter((row) => row.day === day);
        t.same(normal(one.data), withoutDays(rows), `the totals of ${day}`, one.page);
      }
    },
  },
  {
    id: 'totals.by-month',
    rule: 'The totals of a month add up its days in the range, even if the range begins or ends within it.',
    async run(t) {
      const { totals, value } = await together(t, () => readTotals(t.client, { by: 'day' }));
      if (value.data.length === 0) t.notJudged('the account has no transactions');
      const day = t.random.sample(value.data, 1)[0]?.day;
      for (const range of [{}, { from: day }, { to: day }, { from: day, to: day }]) {
        const { data, asOf, page } = await readTotals(t.client, { ...range, by: 'month' });
        if (asOf !== totals.asOf) continue;
        const expected = byMonth(value.data.filter((row) => isWithin(row, range)));
        const what = `the months of the days with ${JSON.stringify(range)}`;
        t.same(normal(data), expected, what, page);
      }
    },
  },
  {
    id: 'totals.filters',
    rule: 'status, currency, from and to restrict totals as they restrict the list, over a range of any length.',
    async run(t) {
      const { totals, value } = await together(t, () => readTotals(t.client, { by: 'day' }));
      if (value.data.length === 0) t.notJudged('the account has no transactions');
      for (const { day = '', currencyCode, status } of t.random.sample(value.data, 5))
        for (const filter of [
          { status },
          { currency: currencyCode },
          { from: day },
          { to: day, status },
          { from: addDays(day, -400), to: addDays(day, 3), currency: currencyCode },
        ]) {
          const one = await readTotals(t.client, filter);
          if (one.asOf !== totals.asOf) continue;
          const rows = value.data.filter((row) => isWithin(row, filter));
          t.same(normal(one.data), withoutDays(rows), `the totals with ${JSON.stringify(filter)}`, one.page);
        }
    },
  },
  {
    id: 'totals.time-zone',
    rule: 'Where there is a timeZone, the range and the days of by=day are of this time zone.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      for (const { timeZone, day } of await zoneDays(t)) await judgeZone(t, timeZone, day);
    },
  },
  {
    id: 'totals.as-of',
    rule: 'asOf is a sequence number of the feed: not beyond the last change, and not before one that was acknowledged earlier.',
    async run(t) {
      const why = await t.deployment.whyAbsent('/v1/changes?limit=1');
      if (why !== undefined) t.notJudged(why);
      const head = async () => Number((await t.get('/v1/changes?limit=1')).body?.headSequence);
      const before = await head();
      const { asOf, page } = await readTotals(t.client);
      const after = await head();
      t.that(asOf >= before && asOf <= after, `a number from ${before} to ${after}`, String(asOf), page);
    },
  },
  {
    id: 'totals.faults',
    rule: 'Faulty parameters are refused as in the list, and so is an inverted range.',
    async run(t) {
      await judgeFilterFaults(t, (query) => send(t.client, query));
      t.status(await send(t.client, { by: 'week' }), 400);
    },
  },
  {
    id: 'totals.any-range',
    rule: 'A range of any length is accepted, and a range of all days has the same totals as none.',
    async run(t) {
      const { totals, value } = await together(t, () =>
        readTotals(t.client, { from: '0001-01-01', to: '9999-12-31' }),
      );
      t.same(normal(value.data), normal(totals.data), 'the totals of all days', value.page);
    },
  },
  keyNeeded('totals.authentication', 'Totals need a valid key, as the list does.', '/v1/totals'),
  {
    id: 'totals.exact',
    needs: 'operator',
    rule: 'Totals are exact, even beyond 53 bits, include every acknowledged recording, and change with a payment.',
    async record(t, account) {
      const amounts = ['9999999999999.99', '0.01', '0.10'];
      const rows = await account.recordMany(25, (index) => ({
        amount: amounts[index % 5 === 4 ? index % 3 : 0],
        currencyCode: index % 6 === 0 ? 'JPY' : 'EUR',
      }));
      const before = await readTotals(account.client);
      t.same(normal(before.data), totalsOf(rows), 'the totals', before.page);
      const paid = await account.pay(rows[0]);
      const after = await readTotals(account.client, { by: 'day' });
      const expected = totalsOf([paid, ...rows.slice(1)], true);
      t.same(normal(after.data), expected, 'the totals after a payment', after.page);
      await judgeFurtherFilters(t);
    },
  },
  {
    id: 'totals.isolation',
    needs: 'operator',
    section: 'authentication',
    rule: 'Totals include only the account of the key.',
    async run(t) {
      const [one, two] = [await t.account('totals-one'), await t.account('totals-two')];
      const rows = await one.recordMany(3);
      await two.recordMany(4);
      const { data, page } = await readTotals(one.client);
      t.same(normal(data), totalsOf(rows), 'the totals of one of two accounts', page);
    },
  },
]);

/** Just before and after midnight in Monrovia and in Berlin. Monrovia had an offset with seconds in 1960. */
const PAID_AT = [
  '1960-01-01T00:44:29.999Z',
  '1960-01-01T00:44:30.000Z',
  '2026-03-30T21:59:59.999Z',
  '2026-03-30T22:00:00.000Z',
];
const FURTHER_FILTERS = /** @type {const} */ ([
  [
    { merchantReference: 'order-1' },
    [
      ['pending', 1],
      ['completed', 2],
    ],
  ],
  [{ merchantReference: 'order-1', status: 'completed' }, [['completed', 2]]],
  [
    { paidTo: '1969-12-31', timeZone: 'Africa/Monrovia', by: 'month' },
    [
      ['1959-12', 1],
      ['1960-01', 1],
    ],
  ],
  [
    { paidFrom: '2026-03-01', timeZone: 'Europe/Berlin', by: 'day' },
    [
      ['2026-03-30', 1],
      ['2026-03-31', 1],
    ],
  ],
  [{ paidFrom: '2026-03-31', paidTo: '2026-03-31', timeZone: 'Europe/Berlin' }, [['completed', 1]]],
  [{ paidFrom: '0001-01-01', status: 'pending' }, []],
]);

/** @param {Context} t */
async function judgeFurtherFilters(t) {
  const account = await t.account('totals-filters');
  await account.recordMany(5, (index) => ({
    merchantReference: index % 2 === 0 ? 'order-1' : 'order-11',
    ...(index < 4 && { status: 'completed', paidAt: PAID_AT[index] }),
  }));
  for (const [filter, expected] of FURTHER_FILTERS) {
    const page = await send(account.client, filter);
    if (page.body?.code === 'unknown_parameter') continue;
    const rows = /** @type {Total[]} */ (page.body?.data ?? []);
    t.same(
      rows.map(({ day, month, status, count }) => [day ?? month ?? status, count]),
      expected.toSorted(),
      `the totals with ${JSON.stringify(filter)}`,
      page,
    );
    if ('by' in filter) continue;
    const { manifest, response } = await readExported(account.client, 'ndjson', filter);
    t.same(normal(manifest?.totals ?? []), normal(rows), 'the totals of the export', response);
  }
}

/** @param {Context} t */
async function judgeDay(t) {
  const { data } = await readTotals(t.client, { by: 'day' });
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { day, count } of data) counts.set(String(day), (counts.get(String(day)) ?? 0) + count);
  const days = [...counts].filter(([, count]) => count <= 300).map(([day]) => day);
  if (days.length === 0) t.notJudged('every day has more than 300 transactions');
  for (const day of t.random.sample(days, 2)) {
    const filter = { from: day, to: day };
    const { totals, value } = await together(t, () =>
      Promise.all([pageThrough(t.client, filter, { maxPages: MAX_PAGES }), readTotals(t.client, filter)]),
    );
    const [{ rows, isComplete }, own] = value;
    if (!isComplete) t.notJudged(`${day} has too many transactions`);
    if (own.asOf === totals.asOf)
      t.same(normal(own.data), totalsOf(rows), `the totals of the list of ${day}`, own.page);
  }
}

/** @param {Context} t @param {string} timeZone @param {string} day */
async function judgeZone(t, timeZone, day) {
  const range = { from: addDays(day, -1), to: addDays(day, 1), timeZone };
  const around = { from: addDays(day, -3), to: addDays(day, 3) };
  const { totals, value } = await together(t, () =>
    Promise.all([
      pageThrough(t.client, around, { maxPages: MAX_PAGES }),
      readTotals(t.client, range),
      send(t.client, { ...range, by: 'day' }),
    ]),
  );
  const [list, whole, byDay] = value;
  if (!list.isComplete) t.notJudged(`the days around ${day} have too many transactions`);
  const rows = list.rows
    .filter((row) => matches(row, range))
    .map((row) => ({ ...row, createdAt: dayIn(row.createdAt, timeZone) }));
  if (whole.asOf === totals.asOf)
    t.same(normal(whole.data), totalsOf(rows), `the totals of three days in ${timeZone}`, whole.page);
  if (byDay.body?.code === 'date_range_too_long' || byDay.body?.asOf !== totals.asOf) return;
  t.same(normal(byDay.body.data), totalsOf(rows, true), `the totals of each day in ${timeZone}`, byDay);
}

/** @param {Total} row @param {Filter} filter */
function isWithin({ day = '', currencyCode, status }, filter) {
  return (
    (filter.status === undefined || filter.status === status) &&
    (filter.currency === undefined || filter.currency === currencyCode) &&
    (filter.from === undefined || day >= filter.from) &&
    (filter.to === undefined || day <= filter.to)
  );
}
