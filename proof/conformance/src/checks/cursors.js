import { alterationsOf, forgeries, otherForms, readable } from '../cursor-forms.js';
import {
  filteredCursor,
  firstPage,
  nextInTime,
  plainCursor,
  refusalOfExpired,
  samePage,
} from '../cursor-pages.js';
import { readPage } from '../page-through.js';
import { compareInList, isTime, matches, showFilter } from '../transaction.js';
import { checksOf } from './check.js';

export default checksOf({ level: 'list', section: 'cursors' }, [
  {
    id: 'cursor.form',
    rule: 'A cursor has at most 512 characters, all of the URL-safe alphabet A-Z, a-z, 0-9, hyphen and underscore.',
    async run(t) {
      for (const page of (await t.facts.window()).pages)
        if (page.body.nextCursor !== null) {
          const isRight = /^[A-Za-z0-9_-]{1,512}$/.test(page.body.nextCursor);
          t.that(isRight, 'at most 512 URL-safe characters', page.body.nextCursor, page);
        }
    },
  },
  {
    id: 'cursor.encrypted',
    rule: 'A cursor is encrypted: the position, the filter and the account cannot be read in it.',
    async run(t) {
      const { cursor, data, page } = await plainCursor(t);
      const last = data[data.length - 1];
      const found = readable(cursor, last);
      t.that(found === undefined, 'a cursor in which nothing can be read', `${found} in ${cursor}`, page);
    },
  },
  {
    id: 'cursor.altered',
    rule: 'A cursor that differs in a single character is 400 cursor_malformed, wherever the character is.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      await t.each(alterationsOf(cursor, t.random), async ([altered, how]) =>
        t.fault(await t.list({ cursor: altered }), 'cursor_malformed', 'cursor', `a cursor with ${how}`),
      );
    },
  },
  {
    id: 'cursor.malformed',
    rule: 'A text that this service did not issue is 400 cursor_malformed.',
    async run(t) {
      const { cursor } = await firstPage(t, {});
      await t.refused('cursor', 'cursor_malformed', forgeries(cursor));
    },
  },
  {
    id: 'cursor.canonical',
    rule: 'A cursor has one form: with padding, other bits at its end, or another alphabet it is 400 cursor_malformed.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      await t.refused('cursor', 'cursor_malformed', otherForms(cursor));
    },
  },
  {
    id: 'cursor.reused',
    rule: 'A cursor can be used again, and returns the same page.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      const first = await t.list({ cursor });
      await t.list();
      const second = t.status(await t.list({ cursor }), 200, 'a cursor that is used again');
      samePage(t, first, second, 'the same page');
    },
  },
  {
    id: 'cursor.other-account',
    rule: 'A cursor of another account is 400 cursor_malformed, and the response is the same as for any other text.',
    needs: 'second key',
    async run(t) {
      const { cursor } = await plainCursor(t);
      const other = await t.deployment.second();
      const refused = await other.list({ cursor });
      t.fault(refused, 'cursor_malformed', 'cursor', "another account's cursor");
      const altered = await other.list({ cursor: `A${'b'.repeat(cursor.length - 1)}` });
      t.same(refused.body.detail, altered.body?.detail, 'the same detail as for any other text', refused);
    },
  },
  {
    id: 'cursor.beside-faults',
    section: 'parameters',
    rule: 'A valid cursor does not hide other faults, and a cursor that is sent twice is a fault.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      t.fault(await t.list({ curency: 'EUR', cursor }), 'unknown_parameter', 'curency');
      t.fault(await t.list({ status: 'nonsense', cursor }), 'invalid_status', 'status');
      t.fault(await t.list(`cursor=${cursor}&cursor=${cursor}`), 'duplicate_parameter', 'cursor');
    },
  },
  {
    id: 'cursor.alone',
    rule: 'A cursor is enough to request the next page with the same filters, which are also accepted beside it in any order.',
    async run(t) {
      const { cursor, filter } = await filteredCursor(t);
      const beside = t.status(await t.list({ ...filter, cursor }), 200);
      const alone = t.status(await t.list({ cursor }), 200, `the cursor of ${showFilter(filter)} alone`);
      samePage(t, beside, alone, 'the same page as beside the filters');
      t.status(await t.list([['cursor', cursor], ...Object.entries(filter).reverse()]), 200);
    },
  },
  {
    id: 'cursor.other-filter',
    rule: 'A filter that differs from that of the cursor, or that the cursor does not have, is 400 cursor_filter_mismatch, a fault of the filter.',
    async run(t) {
      const { cursor, filter } = await filteredCursor(t);
      const status = filter.status === 'pending' ? 'completed' : 'pending';
      const currency = filter.currency === 'CHF' ? 'SEK' : 'CHF';
      await judgeMismatches(t, cursor, filter, [
        ['status', { status }],
        ['currency', { currency }],
        ['status', { ...filter, status }],
        ['currency', { ...filter, currency }],
      ]);
      await judgeMismatches(t, (await plainCursor(t)).cursor, {}, [
        ['status', { status: 'pending' }],
        ['currency', { currency: 'EUR' }],
        ['from', { from: '2020-01-01' }],
        ['to', { to: '2099-01-01' }],
      ]);
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
      const isAhead = aheadSeconds > -2 && aheadSeconds <= 2_592_002;
      t.that(isAhead, 'a time from now to 30 days ahead', String(expires), page);
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
    rule: 'An expired cursor is 400 cursor_expired, with a URL reference in resume whose fresh cursor continues at the same place with the same filters. The expired cursor stays refused.',
    async run(t) {
      const { first, next } = await nextInTime(
        t,
        () => filteredCursor(t),
        ({ cursor: sent }, options) => t.list({ cursor: sent }, options),
      );
      const { filter, data, cursor, page } = first;
      const sendExpired = () => t.list({ cursor }, { mayBeExpired: true });
      const { resumed } = await refusalOfExpired(t, page, sendExpired);
      t.status(next, 200, 'the cursor before its time is over');
      t.status(resumed, 200, 'the request in resume');
      const last = data[data.length - 1];
      const rows = readPage(resumed).data;
      for (const row of rows) {
        t.that(matches(row, filter), `only items of ${showFilter(filter)}`, JSON.stringify(row), resumed);
        t.that(compareInList(last, row) < 0, `only items after ${last.reference}`, row.reference, resumed);
      }
      const references = new Set(rows.map((row) => row.reference));
      const end = rows[rows.length - 1];
      for (const row of readPage(next).data) {
        const canHaveLeftFilter = row.status === 'pending';
        const isPushedOffPage = rows.length === 10 && compareInList(end, row) < 0;
        if (canHaveLeftFilter || isPushedOffPage) continue;
        t.that(references.has(row.reference), `${row.reference}, as before`, [...references].join(), resumed);
      }
      t.fault(await sendExpired(), 'cursor_expired', 'cursor', 'a cursor past its time, after resume');
    },
  },
]);

/**
 * @param {Context} t @param {string} cursor @param {Filter} filter of the cursor
 * @param {[parameter: string, beside: Filter][]} others
 */
async function judgeMismatches(t, cursor, filter, others) {
  for (const [parameter, other] of others) {
    const what = `${showFilter(other)} beside the cursor of ${showFilter(filter)}`;
    t.fault(await t.list({ ...other, cursor }), 'cursor_filter_mismatch', parameter, what);
  }
}
