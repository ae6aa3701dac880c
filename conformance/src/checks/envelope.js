import { pageThrough, readPage } from '../page-through.js';
import { checksOf } from './check.js';

/** @typedef {import('./check.js').Context} Context */

/** The pages of the window, each with its body. @param {Context} t */
const pagesOf = async (t) => (await t.facts.window()).pages;

const ENVELOPE = checksOf({ level: 'list', section: 'pages' }, [
  {
    id: 'list.envelope.status',
    section: 'list',
    rule: 'A list that is read with a valid key has the status 200.',
    run: async (t) => void t.status(await t.list(), 200, 'the first page'),
  },
  {
    id: 'list.envelope.json',
    section: 'bodies',
    rule: 'The body of a list is JSON, and its content type is application/json.',
    async run(t) {
      const page = await t.list();
      t.same(page.mediaType, 'application/json', 'the content type', page);
      t.that(
        page.body !== null && typeof page.body === 'object',
        'a JSON object',
        page.text.slice(0, 200),
        page,
      );
    },
  },
  {
    id: 'list.envelope.fields',
    rule: 'A list has data (an array), nextCursor (a string or null) and hasMore (a boolean).',
    async run(t) {
      for (const page of await pagesOf(t)) {
        const { data, nextCursor, hasMore } = page.body;
        t.that(Array.isArray(data), 'data as an array', typeof data, page);
        t.that(
          nextCursor === null || (typeof nextCursor === 'string' && nextCursor !== ''),
          'nextCursor as a string or null',
          JSON.stringify(nextCursor),
          page,
        );
        t.that(typeof hasMore === 'boolean', 'hasMore as a boolean', JSON.stringify(hasMore), page);
      }
    },
  },
  {
    id: 'list.envelope.no-other-fields',
    requirement: 'SHOULD',
    rule: 'A list has no fields other than data, nextCursor and hasMore.',
    async run(t) {
      for (const page of await pagesOf(t))
        t.same(Object.keys(page.body).sort(), ['data', 'hasMore', 'nextCursor'], 'the fields', page);
    },
  },
  {
    id: 'list.page-size.ten',
    section: 'list',
    rule: 'Every page but the last has exactly 10 items.',
    async run(t) {
      for (const page of await pagesOf(t))
        if (page.body.nextCursor !== null)
          t.same(page.body.data.length, 10, 'items of a page that is not the last', page);
    },
  },
  {
    id: 'list.page-size.at-most-ten',
    section: 'list',
    rule: 'No page has more than 10 items.',
    async run(t) {
      for (const page of await pagesOf(t))
        t.that(page.body.data.length <= 10, 'at most 10 items', `${page.body.data.length} items`, page);
    },
  },
  {
    id: 'list.envelope.has-more',
    rule: 'hasMore is true exactly where nextCursor is a string.',
    async run(t) {
      const last = await t.list({ from: '0001-01-01', to: '0001-01-01' });
      for (const page of [...(await pagesOf(t)), last]) {
        const { hasMore, nextCursor } = page.body;
        t.same(
          hasMore,
          nextCursor !== null,
          `hasMore beside nextCursor ${nextCursor === null ? 'null' : 'as a string'}`,
          page,
        );
      }
    },
  },
  {
    id: 'list.envelope.last-page',
    section: 'pages',
    rule: 'The last page has hasMore false and nextCursor null, and a page before it is never empty.',
    async run(t) {
      const { pages, isComplete } = await t.facts.window();
      for (const page of pages.slice(1))
        t.that(page.body.data.length > 0, 'items after a page with hasMore true', 'an empty page', page);
      const end = isComplete ? pages.at(-1) : await lastPage(t);
      if (end === undefined) return;
      t.that(
        end.body.hasMore === false && end.body.nextCursor === null,
        'hasMore false and nextCursor null on the last page',
        `hasMore ${end.body.hasMore}`,
        end,
      );
    },
  },
  {
    id: 'list.envelope.empty',
    rule: 'A list without items is a page with an empty data, nextCursor null and hasMore false.',
    async run(t) {
      const page = await t.list({ from: '0001-01-01', to: '0001-01-01' });
      const { data, nextCursor, hasMore } = readPage(page);
      if (data.length > 0) t.notJudged('the account has transactions of the year 1');
      t.same({ nextCursor, hasMore }, { nextCursor: null, hasMore: false }, 'an empty page', page);
    },
  },
]);

/** The end of a list that is short: one of a day. @param {Context} t */
async function lastPage(t) {
  const rows = await t.facts.rows();
  const day = rows[rows.length - 1].createdAt.slice(0, 10);
  const { pages, isComplete } = await pageThrough(t.client, { from: day, to: day }, { maxPages: 20 });
  return isComplete ? pages.at(-1) : undefined;
}

export default ENVELOPE;
