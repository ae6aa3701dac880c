import { Broken } from './outcomes.js';
import { compareInList, showFilter, showRow } from './transaction.js';

/**
 * @typedef {object} PagesRead
 * @property {Transaction[]} rows
 * @property {Exchange[]} pages
 * @property {boolean} isComplete whether the pages reach the end of the list
 */

/* A report joins failed checks with the same cause. */
const WRONG_ORDER = 'the list is not ordered by `createdAt`, newest first';
const TIES_IN_WRONG_ORDER =
  'transactions with the same `createdAt` are not ordered by `reference`, descending';
const TIES_LOST = 'transactions with the same `createdAt` are lost where a page ends between them';

/** @param {Transaction} first @param {Transaction} second */
export const causeOfOrder = (first, second) =>
  first.createdAt === second.createdAt ? TIES_IN_WRONG_ORDER : WRONG_ORDER;

/**
 * @param {Pick<PagesRead, 'pages'>} read @param {Transaction} row
 * @returns {{ page: Exchange, cause?: string }}
 */
export function lossOf({ pages }, row) {
  const at = pages.findIndex(({ body }) => body.data.length > 0 && compareInList(row, body.data.at(-1)) <= 0);
  const index = at === -1 ? pages.length - 1 : at;
  const isTie = pages[index - 1]?.body.data.at(-1)?.createdAt === row.createdAt;
  return { page: pages[index], ...(isTie && { cause: TIES_LOST }) };
}

/**
 * With `until`, stops after the first page that goes past the place of `until` in the list.
 * Throws: `Broken` if a page cannot be followed.
 * @param {AccountClient} client
 * @param {Filter} filter
 * @param {{ maxPages?: number, until?: Transaction, cursor?: string,
 *   beforePage?: (page: number, rows: Transaction[]) => Promise<void> }} [options]
 * @returns {Promise<PagesRead>}
 */
export async function pageThrough(client, filter, { maxPages = 100, until, beforePage, cursor: first } = {}) {
  /** @type {PagesRead} */
  const result = { rows: [], pages: [], isComplete: false };
  /** @type {string | undefined} */
  let cursor = first;
  const seen = new Set();
  while (result.pages.length < maxPages) {
    if (result.pages.length > 0) await beforePage?.(result.pages.length, result.rows);
    const page = await client.list(cursor === undefined ? filter : { ...sentWithCursor(filter), cursor });
    const { data, nextCursor } = readPage(page, filter);
    result.pages.push(page);
    result.rows.push(...data);
    if (nextCursor === null) {
      result.isComplete = true;
      break;
    }
    if (seen.has(nextCursor))
      throw new Broken(`that the pages of ${showFilter(filter)} end`, 'a cursor that came before', page.curl);
    seen.add(nextCursor);
    cursor = nextCursor;
    const last = data.at(-1);
    if (until !== undefined && last !== undefined && compareInList(last, until) > 0) break;
  }
  return result;
}

/** @param {PagesRead} read @param {Transaction} row */
export function hasReached({ rows, isComplete }, row) {
  const last = rows.at(-1);
  return isComplete || last === undefined || compareInList(row, last) <= 0;
}

/** @param {Context} t @param {AccountClient} client @param {string} path */
export async function* pagesOf(t, client, path) {
  for (let query = ''; ; ) {
    const page = t.status(await client.send(path + query), 200);
    const { nextCursor, hasMore } = page.body;
    t.same(hasMore, nextCursor !== null, 'hasMore', page);
    yield page;
    if (nextCursor === null) return;
    query = `?cursor=${encodeURIComponent(nextCursor)}`;
  }
}

/** A service may require a long merchantReference with the cursor. @param {Filter} filter */
const sentWithCursor = ({ merchantReference }) =>
  merchantReference === undefined ? {} : { merchantReference };

/**
 * Throws: `Broken` if the envelope of the page is wrong.
 * @param {Exchange} page @param {Filter} filter
 * @returns {{ data: Transaction[], nextCursor: string | null, hasMore: boolean }}
 */
export function readPage(page, filter = {}) {
  const { status, body, curl, summary } = page;
  const isPage =
    status === 200 &&
    Array.isArray(body?.data) &&
    (body.nextCursor === null || typeof body.nextCursor === 'string');
  if (!isPage) throw new Broken(`a page of ${showFilter(filter)}`, summary, curl, lackOfPage(page));
  const odd = body.data.find(
    (/** @type {any} */ row) => typeof row?.reference !== 'string' || typeof row?.createdAt !== 'string',
  );
  if (odd !== undefined)
    throw new Broken('items with reference and createdAt', JSON.stringify(odd).slice(0, 300), curl);
  return body;
}

/** @param {Exchange} page */
function lackOfPage(page) {
  const name = Array.isArray(page.body?.data) ? 'nextCursor' : 'data';
  return page.lackOf(200) ?? `\`${name}\` of a page is missing or has another type`;
}

/** @param {Context} t @param {Transaction} before @param {Transaction} row @param {Exchange} page */
export function judgeOrder(t, before, row, page) {
  const cause = before.reference === row.reference ? undefined : causeOfOrder(before, row);
  t.that(compareInList(before, row) < 0, `the list after ${showRow(before)}`, showRow(row), page, cause);
}

/** @param {Context} t @param {Omit<PagesRead, 'isComplete'>} read @param {string} what */
export function judgePages(t, { rows, pages }, what) {
  const seen = new Set();
  for (const [index, row] of rows.entries()) {
    const page = pages[Math.min(Math.floor(index / 10), pages.length - 1)];
    t.that(!seen.has(row.reference), `each transaction once in ${what}`, `${showRow(row)} again`, page);
    seen.add(row.reference);
    if (index > 0) judgeOrder(t, rows[index - 1], row, page);
  }
}
