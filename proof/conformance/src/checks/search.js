import { nextInTime, refusalOfExpired } from '../cursor-pages.js';
import { judgeFilterFaults, keyNeeded } from '../judge-refusals.js';
import { ALL, judgeFound, PATH, readPage, requirePage } from '../judge-search.js';
import { ZONES, zoneDays } from '../time-zones.js';
import { compareInList, dayIn, isTime, matches, showRow } from '../transaction.js';
import { checksOf } from './check.js';

/** @import { Terms } from '../judge-search.js' */

/** @param {Context} t */
async function firstOfSeveral(t) {
  const page = await readPage(t, ALL);
  if (page.body.nextCursor === null) t.notJudged('no search has a second page');
  return page;
}

/** @param {string} text */
const otherCase = (text) =>
  Array.from(text, (one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('');

/** Only ASCII, because some other letters, such as ß, have no single letter as their upper case. */
const TEXT = /^[!-~]{3,}$/;
const isText = (/** @type {string} */ text) => TEXT.test(text);
const endOf = (/** @type {string} */ text) => text.slice(-12);
const merchantReferenceOf = (/** @type {Transaction} */ row) => row.merchantReference ?? '';

/** @param {string} text */
const folded = (text) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[øłđħıŧ]/g, (letter) => 'oldhit'['øłđħıŧ'.indexOf(letter)] ?? '');

/** @param {Transaction} row @param {string} part */
const hasText = (row, part) =>
  [row.reference, merchantReferenceOf(row)].some((one) => folded(one).includes(folded(part)));

export default checksOf({ level: 'search', section: 'search' }, [
  {
    id: 'search.amount',
    rule: 'amount finds the transactions of exactly this amount, amountFrom and amountTo those between them, both inclusive: each once, newest first.',
    async run(t) {
      for (const { amount } of t.random.sample(await t.facts.rows(), 3)) {
        await judgeFound(t, { amount }, (row) => row.amount === amount);
        const isIn = (/** @type {Transaction} */ row) => Number(row.amount) >= Number(amount);
        await judgeFound(t, { amountFrom: amount }, isIn);
        await judgeFound(t, { amountTo: amount }, (row) => Number(row.amount) <= Number(amount));
      }
      const two = t.random.sample(await t.facts.rows(), 2).map(({ amount }) => Number(amount));
      const [least, greatest] = [Math.min(...two), Math.max(...two)];
      const isBetween = (/** @type {Transaction} */ { amount }) =>
        Number(amount) >= least && Number(amount) <= greatest;
      const terms = { amountFrom: least.toFixed(2), amountTo: greatest.toFixed(2) };
      await judgeFound(t, terms, isBetween);
    },
  },
  {
    id: 'search.text',
    rule: 'text finds the transactions with this part in their reference or merchantReference, in upper or lower case.',
    async run(t) {
      const rows = await t.facts.rows();
      for (const texts of [rows.map(({ reference }) => reference), rows.map(merchantReferenceOf)])
        for (const part of t.random.sample(texts.map(endOf).filter(isText), 3))
          await judgeFound(t, { text: otherCase(part) }, (row) => hasText(row, part));
    },
  },
  {
    id: 'search.paid',
    rule: 'paidFrom and paidTo find the transactions that were paid on these UTC days, both inclusive, even beside the filters of the list.',
    async run(t) {
      const paid = (await t.facts.rows()).filter(({ paidAt }) => paidAt !== null);
      if (paid.length === 0) t.notJudged('no transaction has been paid');
      for (const { paidAt, currencyCode } of t.random.sample(paid, 3)) {
        const day = String(paidAt).slice(0, 10);
        const isPaid = (/** @type {Transaction} */ row) => row.paidAt?.startsWith(day) ?? false;
        await judgeFound(t, { paidFrom: day, paidTo: day }, isPaid);
        const terms = { paidFrom: day, paidTo: day, currency: currencyCode };
        await judgeFound(t, terms, (row) => isPaid(row) && row.currencyCode === currencyCode);
      }
      const [{ paidAt }] = t.random.sample(paid, 1);
      const day = String(paidAt).slice(0, 10);
      await judgeFound(t, { paidTo: day }, ({ paidAt: at }) => at !== null && at.slice(0, 10) <= day);
      await judgeFound(t, { paidFrom: day }, ({ paidAt: at }) => at !== null && at.slice(0, 10) >= day);
    },
  },
  {
    id: 'search.time-zone',
    rule: 'Where there is a timeZone, from, to, paidFrom and paidTo are days of this time zone.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      const paid = (await t.facts.rows()).filter(({ paidAt }) => paidAt !== null);
      for (const timeZone of ZONES) {
        const isOther = (/** @type {Transaction} */ { paidAt }) =>
          dayIn(String(paidAt), timeZone) !== dayIn(String(paidAt));
        for (const { paidAt } of t.random.sample(paid.filter(isOther), 1)) {
          const day = dayIn(String(paidAt), timeZone);
          const isPaid = (/** @type {Transaction} */ row) =>
            row.paidAt !== null && dayIn(row.paidAt, timeZone) === day;
          await judgeFound(t, { paidFrom: day, paidTo: day, timeZone }, isPaid);
        }
      }
      for (const { timeZone, day } of await zoneDays(t)) {
        const range = { from: day, to: day, timeZone };
        await judgeFound(t, { ...ALL, ...range }, (row) => matches(row, range));
      }
    },
  },
  {
    id: 'search.whole',
    rule: 'A search that is continued with its cursors finds each matching transaction of the list once, and searchedBackTo is not later than any of these.',
    async run(t) {
      await judgeFound(t, ALL, () => true);
      const { rows: listed } = await t.facts.window();
      const page = await readPage(t, ALL);
      const found = new Set(page.body.data.map((/** @type {Transaction} */ row) => row.reference));
      const left = listed.find(
        (row) => row.createdAt > page.body.searchedBackTo && !found.has(row.reference),
      );
      const expected = `what the list has back to ${page.body.searchedBackTo}`;
      t.that(left === undefined, expected, left ? `nothing of ${showRow(left)}` : '', page);
      const last = page.body.data.at(-1);
      if (page.body.hasMore && last !== undefined)
        t.that(last.createdAt >= page.body.searchedBackTo, `a time up to ${last.createdAt}`, page);
    },
  },
  {
    id: 'search.terms',
    rule: 'A search without a term is refused, and so are an amount, a text, a day and a range that are not valid.',
    async run(t) {
      const send = (/** @type {Terms} */ query) => t.get(PATH, { query });
      t.problem(await send({}), 400, 'missing_search_term');
      t.problem(await send({ currency: 'EUR' }), 400, 'missing_search_term');
      for (const [name, value, code] of [
        ['amount', '49,90', 'invalid_amount'],
        ['amountFrom', '1.001', 'invalid_amount'],
        ['amountTo', '1.001', 'invalid_amount'],
        ['text', 'ab', 'invalid_text'],
        ['text', 'a'.repeat(65), 'invalid_text'],
        ['paidFrom', '2026-02-30', 'invalid_date'],
      ])
        t.fault(await send({ [name]: value }), code, name);
      t.problem(await send({ amountFrom: '2.00', amountTo: '1.00' }), 400, 'amount_range_inverted');
      t.problem(await send({ paidFrom: '2026-03-02', paidTo: '2026-03-01' }), 400, 'date_range_inverted');
    },
  },
  {
    id: 'search.parameters',
    rule: 'Faulty, unknown and repeated parameters are refused as in the list.',
    async run(t) {
      const send = (/** @type {[string, string][]} */ pairs) =>
        t.get(PATH, { query: [['amount', '1.00'], ...pairs] });
      await judgeFilterFaults(t, (query) =>
        send(/** @type {[string, string][]} */ (Array.isArray(query) ? query : Object.entries(query ?? {}))),
      );
      for (const name of ['limit', 'q']) t.fault(await send([[name, '5']]), 'unknown_parameter', name);
      t.fault(await send([['amount', '1.00']]), 'duplicate_parameter', 'amount');
    },
  },
  {
    id: 'search.cursors',
    rule: 'A cursor that was not issued for a search is 400 cursor_malformed.',
    async run(t) {
      const send = (/** @type {Terms} */ query) => t.get(PATH, { query });
      t.fault(await send({ cursor: 'AAAA' }), 'cursor_malformed', 'cursor');
      const { nextCursor: listed } = (await t.list({})).body ?? {};
      if (typeof listed === 'string')
        t.fault(await send({ cursor: listed }), 'cursor_malformed', 'cursor', 'a cursor of the list');
    },
  },
  {
    id: 'search.cursor-terms',
    rule: 'A cursor with a term that differs from its search is 400 cursor_filter_mismatch.',
    async run(t) {
      const { nextCursor: cursor } = (await firstOfSeveral(t)).body;
      for (const [name, value] of Object.entries({ amountFrom: '0.01', text: 'abc', paidTo: '2026-01-01' })) {
        const refused = await t.get(PATH, { query: { cursor, [name]: value } });
        t.fault(refused, 'cursor_filter_mismatch', name);
      }
    },
  },
  {
    id: 'search.cursor-expired',
    rule: 'An expired cursor is 400 cursor_expired, with a URL reference in resume whose fresh cursor continues the same search at the same place.',
    async run(t) {
      const send = (/** @type {Exchange} */ { body: { nextCursor: cursor } }, { mayBeExpired = true } = {}) =>
        t.get(PATH, { query: { cursor }, mayBeExpired });
      const { first: page, next } = await nextInTime(t, () => firstOfSeveral(t), send);
      requirePage(next);
      const { resumed } = await refusalOfExpired(t, page, () => send(page));
      requirePage(resumed);
      const found = [...resumed.body.data];
      // A page of a search can be short, so the pages after `resumed` are read up to the last row of `next`.
      const last = next.body.data.at(-1);
      const isBefore = () =>
        last !== undefined && (found.length === 0 || compareInList(found.at(-1), last) < 0);
      for (let cursor = resumed.body.nextCursor; cursor !== null && isBefore(); ) {
        const more = await t.get(PATH, { query: { cursor } });
        requirePage(more);
        found.push(...more.body.data);
        cursor = more.body.nextCursor;
      }
      const references = new Set(found.map((/** @type {Transaction} */ row) => row.reference));
      const lost = next.body.data.find((/** @type {Transaction} */ row) => !references.has(row.reference));
      const repeated = page.body.data.find((/** @type {Transaction} */ row) => references.has(row.reference));
      t.that(lost === undefined, 'the same transactions as before the cursor expired', resumed);
      t.that(repeated === undefined, 'only transactions after those of the first page', resumed);
    },
  },
  {
    id: 'search.cursor-headers',
    section: 'pages',
    rule: 'A response of a search with nextCursor has Cursor-Expires and a Link with rel="next".',
    async run(t) {
      const page = await firstOfSeveral(t);
      const [link, expires] = ['link', 'cursor-expires'].map((name) => String(page.header(name)));
      t.that(/<[^>]*>\s*;\s*rel="?next"?/.test(link), 'Link with rel="next"', link, page);
      t.that(isTime(expires), 'a UTC time with milliseconds in Cursor-Expires', expires, page);
    },
  },
  {
    id: 'search.other-account',
    rule: 'A search never finds transactions of another account, and never continues from a cursor of another account.',
    needs: 'second key',
    async run(t) {
      const other = await t.deployment.second();
      const { data } = (await other.list({})).body;
      const own = new Set((await t.facts.rows()).map(({ reference }) => reference));
      const others = data.filter((/** @type {Transaction} */ row) => !own.has(row.reference));
      for (const { reference } of t.random.sample(others, 3)) {
        const text = reference.slice(-64);
        if (isText(text)) await judgeFound(t, { text }, (row) => hasText(row, text));
      }
      const { nextCursor: cursor } = (await readPage(t, ALL)).body;
      if (cursor === null) return;
      const refused = await other.send(PATH, { query: { cursor } });
      t.fault(refused, 'cursor_malformed', 'cursor', "another account's cursor");
    },
  },
  keyNeeded('search.authentication', 'A search needs a valid key, as the list does.', `${PATH}?amount=1.00`),
]);
