import { filteredCursor, nextInTime, plainCursor, refusalOfExpired, samePage } from '../cursor-pages.js';
import { readPage } from '../page-through.js';
import { compareInList, isTime, matches, showFilter } from '../transaction.js';
import { checksOf } from './check.js';

/** @typedef {import('./check.js').Context} Context */

const CURSOR_USE = checksOf({ level: 'list', section: 'cursors' }, [
  {
    id: 'cursor.alone',
    section: 'cursors',
    rule: 'A cursor alone is enough: it returns the next page of the same filters.',
    async run(t) {
      const { cursor, filter } = await filteredCursor(t);
      const beside = await t.list({ ...filter, cursor });
      const alone = await t.list({ cursor });
      t.status(beside, 200, 'the cursor beside the same filters');
      t.status(alone, 200, `the cursor of ${showFilter(filter)} alone`);
      samePage(t, beside, alone, 'the same page as beside the filters');
    },
  },
  {
    id: 'cursor.same-filters',
    section: 'cursors',
    rule: 'The same filters beside a cursor are accepted, in any order.',
    async run(t) {
      const { cursor, filter } = await filteredCursor(t);
      t.status(await t.list({ ...filter, cursor }), 200, 'the same filters before the cursor');
      t.status(
        await t.list([['cursor', cursor], ...Object.entries(filter).reverse()]),
        200,
        'the same filters after the cursor',
      );
    },
  },
  {
    id: 'cursor.other-filter',
    section: 'cursors',
    rule: 'A filter beside a cursor that differs from its own is a fault of this filter: 400 cursor_filter_mismatch.',
    async run(t) {
      const { cursor, filter } = await filteredCursor(t);
      const status = filter.status === 'pending' ? 'completed' : 'pending';
      const currency = filter.currency === 'CHF' ? 'SEK' : 'CHF';
      for (const [parameter, other] of /** @type {const} */ ([
        ['status', { status }],
        ['currency', { currency }],
        ['status', { ...filter, status }],
        ['currency', { ...filter, currency }],
      ]))
        t.fault(
          await t.list({ ...other, cursor }),
          'cursor_filter_mismatch',
          parameter,
          `${showFilter(other)} beside the cursor of ${showFilter(filter)}`,
        );
    },
  },
  {
    id: 'cursor.further-filter',
    section: 'cursors',
    rule: 'A filter beside a cursor that has none of this kind is 400 cursor_filter_mismatch.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      for (const further of [
        { status: 'pending' },
        { currency: 'EUR' },
        { from: '2020-01-01' },
        { to: '2099-01-01' },
      ])
        t.fault(
          await t.list({ ...further, cursor }),
          'cursor_filter_mismatch',
          Object.keys(further)[0],
          `${showFilter(further)} beside a cursor without filters`,
        );
    },
  },
  {
    id: 'cursor.expires-header',
    section: 'pages',
    rule: 'A page with nextCursor says in Cursor-Expires when it expires: a UTC time, 1 second to 30 days ahead.',
    async run(t) {
      const { page } = await plainCursor(t);
      const expires = page.header('cursor-expires');
      t.that(isTime(expires), 'a UTC time with milliseconds in Cursor-Expires', String(expires), page);
      const aheadSeconds = (Date.parse(String(expires)) - page.dateMs) / 1000;
      t.that(
        aheadSeconds > -2 && aheadSeconds <= 2_592_002,
        'a time from now to 30 days ahead',
        String(expires),
        page,
      );
    },
  },
  {
    id: 'cursor.fresh',
    requirement: 'SHOULD',
    section: 'pages',
    rule: 'Each page issues a fresh cursor, which expires later than the one before.',
    async run(t) {
      const { page, cursor } = await plainCursor(t);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const next = await t.list({ cursor });
      if (readPage(next).nextCursor === null) t.notJudged('there is no third page');
      const [one, two] = [page, next].map((each) => each.header('cursor-expires'));
      if (one === undefined || two === undefined) return t.notJudged('there is no header Cursor-Expires');
      t.that(two > one, `later than ${one}`, two, next);
    },
  },
  {
    id: 'cursor.expired',
    section: 'cursors',
    rule: 'A cursor that is past its time is 400 cursor_expired, with a URL reference in resume whose fresh cursor continues at the same place with the same filters. The expired cursor stays refused.',
    run: judgeExpired,
  },
]);

/** @param {Context} t */
async function judgeExpired(t) {
  const { first, next } = await nextInTime(
    t,
    () => filteredCursor(t),
    ({ cursor: sent }, options) => t.list({ cursor: sent }, options),
  );
  const { filter, data, cursor, page } = first;
  const sendExpired = () => t.list({ cursor }, { isExpired: true });
  const { resumed } = await refusalOfExpired(t, page, sendExpired);
  t.status(next, 200, 'the cursor before its time is over');
  t.status(resumed, 200, 'the request in resume');
  const last = data[data.length - 1];
  const rows = readPage(resumed).data;
  for (const row of rows) {
    t.that(matches(row, filter), `only items of ${showFilter(filter)}`, JSON.stringify(row), resumed);
    t.that(compareInList(last, row) < 0, `only items after ${last.reference}`, row.reference, resumed);
  }
  // An item that is recorded meanwhile can push others out at the end, and a pending one can be paid.
  const references = new Set(rows.map((row) => row.reference));
  const end = rows[rows.length - 1];
  for (const row of readPage(next).data) {
    if (row.status === 'pending' || (rows.length === 10 && compareInList(end, row) < 0)) continue;
    t.that(references.has(row.reference), `${row.reference}, as before`, [...references].join(), resumed);
  }
  t.fault(await sendExpired(), 'cursor_expired', 'cursor', 'a cursor past its time, after resume');
}

export default CURSOR_USE;
