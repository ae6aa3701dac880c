import { judgeFilterFaults, judgeKeyNeeded } from '../judge-refusals.js';
import { Broken } from '../outcomes.js';
import { compareInList, showRow } from '../transaction.js';
import { checksOf } from './check.js';

/**
 * @typedef {import('./check.js').Context} Context
 * @typedef {import('../transaction.js').Transaction} Transaction
 * @typedef {import('../exchange.js').Exchange} Exchange
 * @typedef {Record<string, string>} Terms
 */

const PATH = '/v1/search';
const MAX_FOUND = 100;
const MAX_REQUESTS = 20;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Every amount. */
const ALL = { amountFrom: '-9999999999999.99' };

/** A page whose form is right. @param {Context} t @param {Terms} query @returns {Promise<Exchange>} */
async function readPage(t, query) {
  const page = await t.get(PATH, { query });
  const { data, searchedBackTo, nextCursor, hasMore } = page.body ?? {};
  const isRight =
    page.status === 200 &&
    Array.isArray(data) &&
    data.length <= MAX_FOUND &&
    TIMESTAMP.test(searchedBackTo) &&
    (hasMore === true ? typeof nextCursor === 'string' : hasMore === false && nextCursor === null);
  if (!isRight) {
    const expected = `data of at most ${MAX_FOUND}, searchedBackTo, and nextCursor that agrees with hasMore`;
    throw new Broken(expected, page.summary, page.curl, page.lackOf(200));
  }
  return page;
}

/**
 * Everything that a search finds, to its end or to a number of requests, and how far back it has looked.
 * @param {Context} t @param {Terms} terms
 */
async function search(t, terms) {
  /** @type {Transaction[]} */
  const rows = [];
  for (let requests = 1, query = terms; ; requests++) {
    const page = await readPage(t, query);
    rows.push(...page.body.data);
    const { searchedBackTo, nextCursor } = page.body;
    if (nextCursor === null) return { rows, searchedBackTo: '0001-01-01T00:00:00.000Z', page };
    if (requests === MAX_REQUESTS) return { rows, searchedBackTo, page };
    query = { cursor: nextCursor };
  }
}

/**
 * Judges that a search finds each row of the list that matches exactly once, in the order of the list, and nothing else.
 * @param {Context} t @param {Terms} terms @param {(row: Transaction) => boolean} matches
 */
async function judgeFound(t, terms, matches) {
  const { rows: listed } = await t.facts.window();
  const { rows, searchedBackTo, page } = await search(t, terms);
  const what = new URLSearchParams(terms).toString();
  for (const [index, row] of rows.entries()) {
    t.that(matches(row), `only transactions that match ${what}`, showRow(row), page);
    const before = rows[index - 1];
    if (before !== undefined)
      t.that(
        compareInList(before, row) < 0,
        `each transaction once, newest first, for ${what}`,
        showRow(row),
        page,
      );
  }
  const found = new Set(rows.map(({ reference }) => reference));
  for (const row of listed)
    if (row.createdAt > searchedBackTo && matches(row))
      t.that(found.has(row.reference), `${showRow(row)} for ${what}`, `${rows.length} others`, page);
}

/** @param {string} text */
const otherCase = (text) =>
  Array.from(text, (one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('');

const ASCII = /^[!-~]+$/;

const SEARCH = checksOf({ level: 'search', section: 'search' }, [
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
    },
  },
  {
    id: 'search.text',
    rule: 'text finds the transactions with this part in their reference or merchantReference, in upper or lower case.',
    async run(t) {
      for (const { reference, merchantReference } of t.random.sample(await t.facts.rows(), 3))
        for (const whole of [reference, merchantReference]) {
          const part = whole?.slice(-12) ?? '';
          if (part.length < 3 || !ASCII.test(part)) continue;
          const text = otherCase(part);
          const has = (/** @type {string | null} */ one) =>
            (one ?? '').toLowerCase().includes(text.toLowerCase());
          await judgeFound(t, { text }, (row) => has(row.reference) || has(row.merchantReference));
        }
    },
  },
  {
    id: 'search.paid',
    rule: 'paidFrom and paidTo find the transactions that were paid on these UTC days, both inclusive, also beside the filters of the list.',
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
    },
  },
  {
    id: 'search.whole',
    rule: 'A search that goes on from cursor to cursor finds each transaction that the list has once, and searchedBackTo is not later than what it has found.',
    async run(t) {
      await judgeFound(t, ALL, () => true);
      const page = await readPage(t, ALL);
      const last = page.body.data.at(-1);
      if (page.body.hasMore && last !== undefined)
        t.that(last.createdAt >= page.body.searchedBackTo, `a time up to ${last.createdAt}`, page);
    },
  },
  {
    id: 'search.terms',
    rule: 'A search without a term is refused, and so are an amount, a text and a range of amounts that are not valid.',
    async run(t) {
      const send = (/** @type {Terms} */ query) => t.get(PATH, { query });
      t.problem(await send({}), 400, 'missing_search_term', 'a search without a term');
      t.problem(await send({ currency: 'EUR' }), 400, 'missing_search_term', 'filters of the list alone');
      t.fault(await send({ amount: '49,90' }), 'invalid_amount', 'amount', 'amount=49,90');
      t.fault(await send({ text: 'ab' }), 'invalid_text', 'text', 'text=ab');
      t.fault(await send({ text: 'a'.repeat(65) }), 'invalid_text', 'text', 'a text of 65 characters');
      t.fault(await send({ paidFrom: '2026-02-30' }), 'invalid_date', 'paidFrom', 'paidFrom=2026-02-30');
      const inverted = await send({ amountFrom: '2.00', amountTo: '1.00' });
      t.problem(inverted, 400, 'amount_range_inverted', 'a range of amounts that is inverted');
    },
  },
  {
    id: 'search.parameters',
    rule: 'Faulty, unknown and repeated parameters are refused as in the list.',
    run: (t) =>
      judgeFilterFaults(t, (query) => {
        const pairs = Array.isArray(query) ? query : Object.entries(query);
        return t.get(PATH, { query: /** @type {[string, string][]} */ ([['amount', '1.00'], ...pairs]) });
      }),
  },
  {
    id: 'search.cursors',
    rule: 'A cursor that was not issued for a search is malformed, and one with another term belongs to another search.',
    async run(t) {
      const send = (/** @type {Terms} */ query) => t.get(PATH, { query });
      t.fault(await send({ cursor: 'AAAA' }), 'cursor_malformed', 'cursor', 'cursor=AAAA');
      const { nextCursor: listed } = (await t.list({})).body ?? {};
      if (typeof listed === 'string')
        t.fault(await send({ cursor: listed }), 'cursor_malformed', 'cursor', 'a cursor of the list');
      const { nextCursor } = (await readPage(t, ALL)).body;
      if (nextCursor === null) return;
      const other = await send({ cursor: nextCursor, amountFrom: '0.01' });
      t.fault(other, 'cursor_filter_mismatch', 'amountFrom', 'another amountFrom');
    },
  },
  {
    id: 'search.authentication',
    section: 'authentication',
    rule: 'A search needs a valid key, as the list does.',
    run: (t) => judgeKeyNeeded(t, `${PATH}?amount=1.00`, PATH),
  },
]);

export default SEARCH;
