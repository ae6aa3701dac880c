import { Broken } from './outcomes.js';

/**
 * @typedef {{ sequence: number, id: string, type: string, previousStatus: string | null, recordedAt: string,
 *   transaction: Transaction }} Change
 * @typedef {{ data: Change[], lastSequence: number, lastId: string | null, headSequence: number,
 *   hasMore: boolean }} ChangePage
 */

const MAX_CHANGES = 4000;

/**
 * Without `after`, the page begins with the first change that is not archived.
 * @param {AccountClient} client
 * @param {Query} [query]
 * @param {RequestOptions} [options]
 * @returns {Promise<Exchange>}
 */
export async function readChanges(client, query, options) {
  const page = await client.send('/v1/changes', { ...options, query });
  if (
    page.status !== 410 ||
    typeof query === 'string' ||
    Array.isArray(query) ||
    query?.['after'] !== undefined
  )
    return page;
  const floor = page.body?.floorSequence;
  if (!Number.isSafeInteger(floor)) return page;
  return client.send('/v1/changes', { ...options, query: { ...query, after: String(floor) } });
}

/** @param {Exchange} page @returns {ChangePage} */
export function changesOf(page) {
  const { body } = page;
  const isPage =
    page.status === 200 &&
    Array.isArray(body?.data) &&
    Number.isSafeInteger(body.lastSequence) &&
    Number.isSafeInteger(body.headSequence) &&
    typeof body.hasMore === 'boolean' &&
    body.data.every(
      (/** @type {any} */ one) =>
        Number.isSafeInteger(one?.sequence) && typeof one.transaction?.reference === 'string',
    );
  if (!isPage)
    throw new Broken(
      'a page of changes with data, lastSequence, headSequence and hasMore',
      page.summary,
      page.curl,
    );
  return body;
}

/**
 * @param {AccountClient} client
 * @returns {Promise<{ changes: Change[], pages: Exchange[], isWhole: boolean, head: number }>}
 */
export async function readFeed(client) {
  const first = await readChanges(client, { limit: '1' });
  const { headSequence, lastSequence, data } = changesOf(first);
  const floor = lastSequence - data.length;
  const isWhole = floor === 0 && headSequence <= MAX_CHANGES;
  let after = headSequence - floor <= MAX_CHANGES ? floor : headSequence - 1000;
  let head = headSequence;
  const pages = [];
  const changes = [];
  for (let count = 0; count < 20; count++) {
    const page = await readChanges(client, { after: String(after), limit: '1000' });
    const body = changesOf(page);
    pages.push(page);
    changes.push(...body.data);
    head = body.headSequence;
    if (!body.hasMore || body.lastSequence <= after) break;
    after = body.lastSequence;
  }
  return { changes, pages, isWhole, head };
}

/** @param {readonly Change[]} changes */
export const lastChanges = (changes) =>
  new Map(changes.map(({ transaction }) => [transaction.reference, transaction]));

/** @param {AccountClient} client */
export const headOf = async (client) => changesOf(await readChanges(client, { limit: '1' })).headSequence;

/** @param {Context} t */
export const feedOf = (t) => t.facts.once('feed', () => readFeed(t.client));

/** @param {Context} t */
export async function someChanges(t) {
  const feed = await feedOf(t);
  if (feed.changes.length === 0) t.notJudged('the account has no changes');
  return feed;
}
