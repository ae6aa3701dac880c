import { pageThrough, readPage } from '../page-through.js';
import { checksOf } from './check.js';

/** @param {Context} t */
const pagesOf = async (t) => (await t.facts.window()).pages;

export default checksOf({ level: 'list', section: 'pages' }, [
  {
    id: 'list.envelope.status',
    section: 'list',
    rule: 'A list that is read with a valid key has the status 200.',
    run: async (t) => void t.status(await t.list(), 200),
  },
  {
    id: 'list.envelope.json',
    section: 'bodies',
    rule: 'The body of a list is JSON, and its content type is application/json.',
    async run(t) {
      const page = await t.list();
      t.same(page.mediaType, 'application/json', 'the content type', page);
      const isObject = page.body !== null && typeof page.body === 'object';
      t.that(isObject, 'a JSON object', page.text.slice(0, 200), page);
    },
  },
  {
    id: 'list.envelope.fields',
    rule: 'A list has data (an array), nextCursor (a string or null) and hasMore, which is true exactly if nextCursor is a string.',
    async run(t) {
      const last = await t.list({ from: '0001-01-01', to: '0001-01-01' });
      for (const page of [...(await pagesOf(t)), last]) {
        const { data, nextCursor, hasMore } = page.body;
        t.that(Array.isArray(data), 'data as an array', typeof data, page);
        const isCursor = nextCursor === null || (typeof nextCursor === 'string' && nextCursor !== '');
        t.that(isCursor, 'nextCursor as a string or null', JSON.stringify(nextCursor), page);
        const beside = nextCursor === null ? 'null' : 'as a string';
        t.same(hasMore, nextCursor !== null, `hasMore beside nextCursor ${beside}`, page);
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
    rule: 'Every page but the last has exactly 10 items, and the last has at most 10.',
    async run(t) {
      for (const page of await pagesOf(t)) {
        const { data, nextCursor } = page.body;
        const isRight = nextCursor === null ? data.length <= 10 : data.length === 10;
        t.that(isRight, `10 items${nextCursor === null ? ' at most' : ''}`, `${data.length} items`, page);
      }
    },
  },
  {
    id: 'list.envelope.last-page',
    rule: 'The last page has hasMore false and nextCursor null, and a page before it is never empty.',
    async run(t) {
      const { pages, isComplete } = await t.facts.window();
      for (const page of pages.slice(1))
        t.that(page.body.data.length > 0, 'items after a page with hasMore true', 'an empty page', page);
      const end = isComplete ? pages.at(-1) : await lastPage(t);
      if (end === undefined) return;
      const { hasMore, nextCursor } = end.body;
      t.same([hasMore, nextCursor], [false, null], 'hasMore and nextCursor of the last page', end);
    },
  },
  {
    id: 'list.envelope.empty',
    rule: 'A list without items is a page with empty data, nextCursor null and hasMore false.',
    async run(t) {
      const page = await t.list({ from: '0001-01-01', to: '0001-01-01' });
      const { data, nextCursor, hasMore } = readPage(page);
      if (data.length > 0) t.notJudged('the account has transactions of the year 1');
      t.same({ nextCursor, hasMore }, { nextCursor: null, hasMore: false }, 'an empty page', page);
    },
  },
]);

/** @param {Context} t */
async function lastPage(t) {
  const rows = await t.facts.rows();
  const day = rows[rows.length - 1].createdAt.slice(0, 10);
  const { pages, isComplete } = await pageThrough(t.client, { from: day, to: day }, { maxPages: 20 });
  return isComplete ? pages.at(-1) : undefined;
}
