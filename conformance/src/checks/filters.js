import { judgeComplete, judgeMatches } from '../judge-filter.js';
import { hasReached, pageThrough, readPage } from '../page-through.js';
import { addDays, dayOf, matches, showFilter } from '../transaction.js';
import { checksOf } from './check.js';

/**
 * @typedef {import('./check.js').Context} Context
 * @typedef {import('../transaction.js').Filter} Filter
 * @typedef {import('../transaction.js').Transaction} Transaction
 */

const STATUSES = ['pending', 'completed'];

/** @param {Context} t @returns {Promise<Filter[]>} */
const byStatus = async (t) =>
  [...new Set([...STATUSES, ...(await t.facts.rows()).map(({ status }) => status)])]
    .slice(0, 4)
    .map((status) => ({ status }));

/** @param {Context} t @returns {Promise<Filter[]>} */
const byCurrency = async (t) =>
  [...new Set((await t.facts.rows()).map(({ currencyCode }) => currencyCode))]
    .slice(0, 4)
    .map((currency) => ({ currency }));

/** Days of the window, with the newest and the oldest. @param {Context} t */
const daysOf = async (t) => [...new Set((await t.facts.rows()).map(dayOf))];

/** Half of them at random, and half with the rows that are nearest to midnight. @param {Context} t @param {number} count */
const someDays = async (t, count) =>
  t.facts.once(`days ${count}`, async () => {
    const nearest = (await t.facts.rows()).toSorted((a, b) => fromMidnightMs(a) - fromMidnightMs(b));
    const edges = [...new Set(nearest.map(dayOf))].slice(0, Math.ceil(count / 2));
    return [...new Set([...edges, ...t.random.sample(await daysOf(t), count)])].slice(0, count);
  });

/** How far a transaction is from the nearest midnight UTC. @param {Transaction} row */
function fromMidnightMs({ createdAt }) {
  const ms = Date.parse(createdAt) % 86_400_000;
  return Math.min(ms, 86_400_000 - ms);
}

/** @param {Context} t @returns {Promise<Filter[]>} */
async function byRange(t) {
  const days = (await someDays(t, 8)).sort();
  const [first = '', ...rest] = days;
  const near = rest.filter((day) => day <= addDays(first, 90));
  return [
    ...near.slice(0, 3).map((to) => ({ from: first, to })),
    { from: days[days.length - 1], to: addDays(days[days.length - 1], 90) },
  ];
}

/** Combinations of values that rows of the window have. @param {Context} t @returns {Promise<Filter[]>} */
async function byCombination(t) {
  const rows = await t.facts.rows();
  return t.facts.once('combinations', async () =>
    t.random.sample(rows, 8).map((row, index) => {
      const kinds = index + 1 < 4 ? index + 1 : index % 8;
      const from = addDays(dayOf(row), -t.random.below(40));
      return {
        ...(kinds !== 2 && { status: row.status }),
        ...(kinds !== 1 && { currency: row.currencyCode }),
        ...(kinds > 2 && { from }),
        ...(kinds % 2 === 1 && { to: addDays(from, 40 + t.random.below(50)) }),
      };
    }),
  );
}

/**
 * Two checks of some filters: what is returned matches, and nothing that matches is left out.
 * @param {string} name
 * @param {string} section
 * @param {string} what
 * @param {(t: Context) => Promise<Filter[]>} filtersOf
 */
const pairOf = (name, section, what, filtersOf) => [
  {
    id: `filter.${name}.only`,
    section,
    rule: `${what} returns only transactions that match, each once and in the order of the list.`,
    run: async (/** @type {Context} */ t) => {
      await t.facts.window();
      await t.each(await filtersOf(t), (filter) => judgeMatches(t, filter));
    },
  },
  {
    id: `filter.${name}.complete`,
    section,
    rule: `${what} returns every transaction of the unfiltered list that matches, and no other.`,
    run: async (/** @type {Context} */ t) => {
      await t.facts.window();
      await t.each(await filtersOf(t), (filter) => judgeComplete(t, filter));
    },
  },
];

const FILTERS = checksOf({ level: 'list', section: 'list' }, [
  ...pairOf('status', 'list', 'The filter status', byStatus),
  ...pairOf('currency', 'list', 'The filter currency', byCurrency),
  ...pairOf('day', 'list', 'from and to of one day, the whole UTC day of createdAt,', async (t) =>
    (await someDays(t, 6)).map((day) => ({ from: day, to: day })),
  ),
  ...pairOf('range', 'list', 'A range of UTC days of createdAt, both inclusive,', byRange),
  ...pairOf('from', 'list', 'from without to, open at the other end,', async (t) =>
    (await someDays(t, 3)).map((from) => ({ from })),
  ),
  ...pairOf('to', 'list', 'to without from, open at the other end,', async (t) =>
    (await someDays(t, 3)).map((to) => ({ to })),
  ),
  ...pairOf('combined', 'list', 'A combination of filters', byCombination),
  {
    id: 'filter.persists',
    section: 'cursors',
    rule: 'The filters of the first request hold on the pages that its cursors lead to.',
    async run(t) {
      for (const filter of [...(await byStatus(t)), ...(await byCurrency(t))]) {
        const page = await t.list(filter);
        const { nextCursor } = readPage(page, filter);
        if (nextCursor === null) continue;
        const next = await t.list({ cursor: nextCursor });
        for (const row of readPage(next, filter).data)
          t.that(
            matches(row, filter),
            `only items of ${showFilter(filter)} on its second page`,
            JSON.stringify(row),
            next,
          );
      }
    },
  },
  {
    id: 'filter.deep',
    section: 'list',
    rule: 'Filters are as exact far back in a large account as at its newest transactions.',
    run: judgeDeep,
  },
  {
    id: 'filter.merchant-reference',
    section: 'list',
    rule: 'Where there is a filter merchantReference, it returns exactly the transactions with this text.',
    async run(t) {
      // An empty text can be recorded, but an empty value of a parameter is invalid.
      const rows = (await t.facts.rows()).filter(({ merchantReference }) => merchantReference);
      const texts = t.random.sample(rows, 4).map((row) => /** @type {string} */ (row.merchantReference));
      if (texts.length === 0) t.notJudged('no transaction has a merchantReference');
      const first = await t.list({ merchantReference: texts[0] });
      if (first.body?.code === 'unknown_parameter') t.notJudged('the deployment does not have this filter');
      for (const merchantReference of texts) {
        await judgeMatches(t, { merchantReference });
        await judgeComplete(t, { merchantReference });
      }
    },
  },
]);

/** Compares combinations with a list that begins at an old day. @param {Context} t */
async function judgeDeep(t) {
  const window = await t.facts.window();
  const last = window.rows.at(-1);
  if (window.isComplete || last === undefined)
    t.notJudged('the account is small; the other checks have read all of it');
  const to = await oldDay(t, dayOf(last));
  const list = await pageThrough(t.client, { to }, { maxPages: 12 });
  const end = list.rows.at(-1);
  if (end === undefined) t.notJudged('there is nothing far back');
  const { status, currencyCode: currency } = t.random.pick(list.rows);
  for (const filter of [
    { status, to },
    { currency, to },
    { status, currency, to },
  ]) {
    const filtered = await pageThrough(t.client, filter, { maxPages: 14, until: end });
    const returned = new Map(filtered.rows.map((row) => [row.reference, row]));
    for (const row of filtered.rows)
      t.that(
        matches(row, filter),
        `only items that match in ${showFilter(filter)}`,
        JSON.stringify(row),
        filtered.pages[0],
      );
    // A pending row can have been completed meanwhile, and so many recorded that reading ended before.
    const isExpected = (/** @type {Transaction} */ row) =>
      matches(row, filter) && row.status !== 'pending' && hasReached(filtered, row);
    for (const row of list.rows)
      if (isExpected(row) && row.createdAt > end.createdAt)
        t.that(
          returned.has(row.reference),
          `${row.reference} in ${showFilter(filter)}`,
          'not there',
          filtered.pages[0],
        );
  }
}

/** A day far before another, from which on there still are transactions. @param {Context} t @param {string} day */
async function oldDay(t, day) {
  let found = day;
  for (const days of [7, 30, 90, 365, 1000]) {
    const candidate = addDays(day, -days);
    if (candidate < '0002') break;
    const { data } = readPage(await t.list({ to: candidate }));
    if (data.length < 10) break;
    found = candidate;
  }
  return found;
}

export default FILTERS;
