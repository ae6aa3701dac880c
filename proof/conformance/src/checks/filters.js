import { follow } from '../cursor-pages.js';
import { judgeAllMatch, judgeComplete, judgeMatches } from '../judge-filter.js';
import { settle } from '../own-lists.js';
import { hasReached, pageThrough, readPage } from '../page-through.js';
import { addDays, dayOf, matches, showFilter } from '../transaction.js';
import { checksOf } from './check.js';

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

/** @param {Context} t */
const daysOf = async (t) => [...new Set((await t.facts.rows()).map(dayOf))];

/** @param {Context} t @param {number} count */
const someDays = async (t, count) =>
  t.facts.once(`days ${count}`, async () => {
    const nearest = (await t.facts.rows()).toSorted((a, b) => fromMidnightMs(a) - fromMidnightMs(b));
    const edges = [...new Set(nearest.map(dayOf))].slice(0, Math.ceil(count / 2));
    return [...new Set([...edges, ...t.random.sample(await daysOf(t), count)])].slice(0, count);
  });

/** @param {Transaction} row */
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

/** @param {Context} t @returns {Promise<Filter[]>} */
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

/** @param {string} name @param {string} what @param {(t: Context) => Promise<Filter[]>} filtersOf */
const pairOf = (name, what, filtersOf) =>
  /** @type {const} */ ([
    ['only', 'only transactions that match, each once and in the order of the list', judgeMatches],
    ['complete', 'every transaction of the unfiltered list that matches, and no other', judgeComplete],
  ]).map(([part, returned, judge]) => ({
    id: `filter.${name}.${part}`,
    rule: `${what} returns ${returned}.`,
    run: async (/** @type {Context} */ t) => {
      await t.facts.window();
      await t.each(await filtersOf(t), (filter) => judge(t, filter));
    },
  }));

export default checksOf({ level: 'list', section: 'list' }, [
  ...pairOf('status', 'The filter status', byStatus),
  ...pairOf('currency', 'The filter currency', byCurrency),
  ...pairOf('day', 'from and to of one day, the whole UTC day of createdAt,', async (t) =>
    (await someDays(t, 6)).map((day) => ({ from: day, to: day })),
  ),
  ...pairOf('range', 'A range of UTC days of createdAt, both inclusive,', byRange),
  ...pairOf('from', 'from without to, open at the other end,', async (t) =>
    (await someDays(t, 3)).map((from) => ({ from })),
  ),
  ...pairOf('to', 'to without from, open at the other end,', async (t) =>
    (await someDays(t, 3)).map((to) => ({ to })),
  ),
  ...pairOf('combined', 'A combination of filters', byCombination),
  {
    id: 'filter.persists',
    section: 'cursors',
    rule: 'The filters of the first request also apply to the pages of its cursors.',
    async run(t) {
      for (const filter of [...(await byStatus(t)), ...(await byCurrency(t))]) {
        const page = await t.list(filter);
        const { nextCursor } = readPage(page, filter);
        if (nextCursor === null) continue;
        const next = await t.list({ cursor: nextCursor });
        readPage(next, filter);
        judgeAllMatch(t, filter, [next]);
      }
    },
  },
  {
    id: 'filter.deep',
    rule: 'Filters are as exact for old transactions of a large account as for its newest.',
    async run(t) {
      const window = await t.facts.window();
      const last = window.rows.at(-1);
      if (window.isComplete || last === undefined)
        return t.notJudged('the account is small; the other checks have read all of it');
      const to = await oldDay(t, dayOf(last));
      const list = await pageThrough(t.client, { to }, { maxPages: 12 });
      const end = list.rows.at(-1);
      if (end === undefined) return t.notJudged('there is nothing far back');
      const { status, currencyCode: currency } = t.random.pick(list.rows);
      for (const filter of [
        { status, to },
        { currency, to },
        { status, currency, to },
      ]) {
        const filtered = await pageThrough(t.client, filter, { maxPages: 14, until: end });
        const returned = new Set(filtered.rows.map(({ reference }) => reference));
        judgeAllMatch(t, filter, filtered.pages);
        // A pending row may be completed between the two readings, and then match no longer.
        const isExpected = (/** @type {Transaction} */ row) =>
          matches(row, filter) && row.status !== 'pending' && hasReached(filtered, row);
        for (const row of list.rows)
          if (isExpected(row) && row.createdAt > end.createdAt) {
            const expected = `${row.reference} in ${showFilter(filter)}`;
            t.that(returned.has(row.reference), expected, 'not there', filtered.pages[0]);
          }
      }
    },
  },
  {
    id: 'filter.merchant-reference',
    rule: 'Where there is a filter merchantReference, it returns exactly the transactions with this text, not those with a longer one.',
    async run(t) {
      const rows = (await t.facts.rows()).filter(({ merchantReference }) => merchantReference);
      const texts = t.random.sample(rows, 4).map((row) => /** @type {string} */ (row.merchantReference));
      if (texts.length === 0) t.notJudged('no transaction has a merchantReference');
      await t.requireFilter('merchantReference', 'x');
      const parts = texts.slice(0, 2).flatMap((text) => [[...text].slice(0, -1), [...text].slice(1)]);
      for (const merchantReference of [...texts, ...parts.map((part) => part.join(''))]) {
        if (merchantReference === '') continue;
        await judgeMatches(t, { merchantReference });
        await judgeComplete(t, { merchantReference });
      }
    },
  },
  {
    id: 'filter.merchant-reference.invalid',
    rule: 'Where there is a filter merchantReference, a text that no transaction can have is 400 invalid_merchant_reference.',
    async run(t) {
      await t.requireFilter('merchantReference', 'x');
      const invalid = ['', 'x'.repeat(256), 'a\nb'];
      await t.refused('merchantReference', 'invalid_merchant_reference', invalid);
      const longest = await t.list({ merchantReference: '💶'.repeat(255) });
      t.status(longest, 200, '255 characters of four bytes each');
    },
  },
  {
    id: 'filter.merchant-reference.long',
    section: 'cursors',
    rule: 'Where there is a filter merchantReference, the cursor of a long text has at most 512 characters, and Link leads to the next page.',
    async run(t) {
      await t.requireFilter('merchantReference', 'x');
      const { client, merchantReference } = await longText(t);
      const page = await client.list({ merchantReference });
      const { nextCursor } = readPage(page, { merchantReference });
      if (nextCursor === null) return t.notJudged('the list with a long merchantReference has a single page');
      const { length } = nextCursor;
      t.that(length <= 512, 'a cursor of at most 512 characters', `${length} characters`, page);
      const [, target = ''] = /<([^>]*)>/.exec(page.header('link') ?? '') ?? [];
      const next = await follow(t, target, page, client);
      const { data } = readPage(next, { merchantReference });
      t.that(data.length > 0, 'further transactions at the URL in Link', 'none', next);
      judgeAllMatch(t, { merchantReference }, [next]);
      t.status(await client.list({ merchantReference, cursor: nextCursor }), 200);
      const alone = await client.list({ cursor: nextCursor });
      if (alone.status !== 200)
        t.fault(alone, 'cursor_filter_mismatch', 'merchantReference', 'the cursor alone');
    },
  },
]);

/** @param {Context} t */
async function longText(t) {
  if (t.deployment.operator !== undefined) {
    const account = await t.account('long-text');
    const merchantReference = '日'.repeat(255);
    await account.recordMany(12, () => ({ merchantReference }));
    await settle(account.client, 12);
    return { client: account.client, merchantReference };
  }
  const texts = (await t.facts.rows()).map(({ merchantReference }) => merchantReference ?? '');
  const often = [...new Set(texts)].filter((text) => texts.filter((one) => one === text).length > 10);
  const [merchantReference = ''] = often.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a));
  if (Buffer.byteLength(merchantReference) < 200)
    t.notJudged('no merchantReference of 200 bytes is that of more than ten transactions');
  return { client: t.client, merchantReference };
}

/** @param {Context} t @param {string} day */
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
