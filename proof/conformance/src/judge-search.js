import { Broken } from './outcomes.js';
import { hasReached, judgeOrder } from './page-through.js';
import { isTime, showRow } from './transaction.js';

/** @typedef {Record<string, string>} Terms */

export const PATH = '/v1/search';
const MAX_FOUND = 100;
const MAX_REQUESTS = 20;
export const ALL = { amountFrom: '-9999999999999.99' };

/** @param {Context} t @param {Terms} query @returns {Promise<Exchange>} */
export async function readPage(t, query) {
  const page = await t.get(PATH, { query });
  requirePage(page);
  return page;
}

/** @param {Exchange} page */
export function requirePage(page) {
  const { data, searchedBackTo, nextCursor, hasMore } = page.body ?? {};
  const isRight =
    page.status === 200 &&
    Array.isArray(data) &&
    data.length <= MAX_FOUND &&
    isTime(searchedBackTo) &&
    (hasMore === true ? typeof nextCursor === 'string' : hasMore === false && nextCursor === null);
  if (!isRight) {
    const expected = `data of at most ${MAX_FOUND}, searchedBackTo, and nextCursor that agrees with hasMore`;
    throw new Broken(expected, page.summary, page.curl, page.lackOf(200));
  }
}

/** @param {Context} t @param {Terms} terms */
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

/** @param {Context} t @param {Terms} terms @param {(row: Transaction) => boolean} matches */
export async function judgeFound(t, terms, matches) {
  const { rows: listed } = await t.facts.window();
  const { rows, searchedBackTo, page } = await search(t, terms);
  await judgeListed(t, rows, page);
  const what = new URLSearchParams(terms).toString();
  for (const [index, row] of rows.entries()) {
    t.that(matches(row), `only transactions that match ${what}`, showRow(row), page);
    if (index > 0) judgeOrder(t, rows[index - 1], row, page);
  }
  const found = new Set(rows.map(({ reference }) => reference));
  for (const row of listed)
    if (row.createdAt > searchedBackTo && matches(row))
      t.that(found.has(row.reference), `${showRow(row)} for ${what}`, `${rows.length} others`, page);
}

/**
 * A found row may have been recorded after the list was read, so the list is read again.
 * @param {Context} t @param {Transaction[]} found @param {Exchange} page
 */
async function judgeListed(t, found, page) {
  const unlisted = (/** @type {PagesRead} */ list) => {
    const references = new Set(list.rows.map(({ reference }) => reference));
    return found.find((row) => hasReached(list, row) && !references.has(row.reference));
  };
  if (unlisted(await t.facts.window()) === undefined) return;
  const row = unlisted(await t.facts.windowLater());
  t.that(row === undefined, 'only transactions that the list has', row ? showRow(row) : '', page);
}
