import { unknownKey } from '../judge-refusals.js';
import { readPage } from '../page-through.js';
import { checksOf } from './check.js';

/**
 * @typedef {import('./check.js').Context} Context
 * @typedef {import('../exchange.js').Exchange} Exchange
 */

/** The codes of the list's interface for each status. @type {Record<number, string[]>} */
const CODES = {
  401: ['missing_api_key', 'invalid_api_key'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  429: ['rate_limited'],
  500: ['internal_error'],
  503: ['unavailable'],
};

const LIST_CODES = [
  'invalid_status',
  'invalid_currency',
  'invalid_date',
  // Of a filter that deployments may have.
  'invalid_merchant_reference',
  'date_range_inverted',
  'date_range_too_long',
  'cursor_malformed',
  'cursor_expired',
  'cursor_filter_mismatch',
  'unknown_parameter',
  'duplicate_parameter',
  'invalid_request',
];

/** Sends one request for each kind of response, then judges every response of the run. @param {Context} t */
async function allResponses(t) {
  await t.deployment.facts.once('one of each kind', async () => {
    await t.list();
    await t.list({ status: 'nonsense' });
    await t.list({ curency: 'EUR', status: 'nonsense' });
    await t.list('', { authorization: null });
    await t.list('', unknownKey(t));
    await t.get(`/v1/${t.random.letters(12)}`);
    await t.list('', { method: 'POST', authorization: null });
  });
  // Only those of the deployment itself: the operator's interface has other rules.
  const prefix = `${t.client.url}/v1/`;
  return t.deployment.transport.exchanges.filter(({ sent }) => sent.url.startsWith(prefix));
}

/** @param {Context} t */
const problems = async (t) =>
  (await allResponses(t)).filter(({ status, sent }) => status >= 400 && sent.method !== 'HEAD');

/** @param {Exchange} exchange */
const isList = ({ sent }) => /\/v1\/transactions(\?|$)/.test(sent.url);

const PROBLEMS = checksOf({ level: 'list', section: 'errors', isLast: true }, [
  {
    id: 'problem.content-type',
    rule: 'Every error is application/problem+json.',
    async run(t) {
      for (const one of await problems(t))
        t.same(one.mediaType, 'application/problem+json', 'the content type of an error', one);
    },
  },
  {
    id: 'problem.fields',
    rule: 'Every error has the texts type, title, detail, code and requestId, and the number status.',
    async run(t) {
      for (const one of await problems(t)) {
        const { body } = one;
        const missing = ['type', 'title', 'detail', 'code', 'requestId'].filter(
          (name) => typeof body?.[name] !== 'string' || body[name] === '',
        );
        t.same(missing, [], 'missing texts', one);
      }
    },
  },
  {
    id: 'problem.status',
    rule: 'The status in an error is that of the response.',
    async run(t) {
      for (const one of await problems(t))
        t.same(one.body?.status, one.status, 'status in the document', one);
    },
  },
  {
    id: 'problem.title',
    requirement: 'SHOULD',
    section: 'errors',
    rule: 'The title of an error is the same for every error with its code.',
    async run(t) {
      const pairs = [
        [{ status: 'nonsense' }, { status: 'PENDING' }],
        [{ currency: 'eur' }, { currency: 'nonsense' }],
        [{ from: '2026-02-30' }, { to: 'today' }],
      ];
      for (const [one, other] of pairs) {
        const [first, second] = [await t.list(one), await t.list(other)];
        if (first.body?.code === second.body?.code)
          t.same(second.body?.title, first.body?.title, `the title of ${first.body?.code}`, second);
      }
    },
  },
  {
    id: 'problem.request-id',
    rule: 'The requestId in an error is that of the header Request-Id.',
    async run(t) {
      for (const one of await problems(t))
        t.same(one.body?.requestId, one.header('request-id'), 'requestId', one);
    },
  },
  {
    id: 'problem.codes',
    section: 'errors',
    rule: 'The code of an error is one of those that its status has.',
    async run(t) {
      for (const one of (await problems(t)).filter(isList)) {
        const codes = one.status === 400 ? LIST_CODES : CODES[one.status];
        if (codes !== undefined) t.that(codes.includes(one.body?.code), `one of ${codes.join(', ')}`, one);
      }
    },
  },
  {
    id: 'problem.type-page',
    requirement: 'SHOULD',
    rule: 'The type of an error is a page that explains it.',
    async run(t) {
      for (const query of ['status=nonsense', 'cursor=x']) {
        const one = await t.list(query);
        const type = String(one.body?.type);
        if (!/^(https?:|\/)/.test(type)) t.that(false, 'the address of a page in type', type, one);
        // Relative to the request; outside of the base address, the kit reads nothing.
        const { origin, pathname } = new URL(type, one.sent.url);
        const base = new URL(`${t.client.url}/`);
        if (origin === base.origin && pathname.startsWith(base.pathname)) {
          const path = `/${pathname.slice(base.pathname.length)}`;
          t.status(await t.get(path, { authorization: null }), 200, `the page ${type}`);
        } else t.judged++;
      }
    },
  },
  {
    id: 'problem.no-internals',
    requirement: 'SHOULD',
    rule: 'An error shows nothing of the inside of the service, such as a stack or a statement.',
    async run(t) {
      for (const one of await problems(t))
        t.that(
          !/(\n|\\n)\s+at |node_modules|\.(js|ts|py|rb|java|go):\d+|\bSELECT\b.+\bFROM\b|ECONNREFUSED|SQLSTATE/.test(
            one.text,
          ),
          'no stack and no statement',
          one.text.slice(0, 400),
          one,
        );
    },
  },
  {
    id: 'problem.framework',
    rule: 'Requests that a framework refuses get the same kind of document.',
    async run(t) {
      for (const path of ['/v1/transactions/%', '/v1/transactions?status=%E0%A4%A', '/v1/%zz']) {
        const one = await t.get(path);
        t.that(one.status >= 400 && one.status < 500, `a status from 400 to 499 for ${path}`, one);
        const isProblem =
          one.mediaType === 'application/problem+json' &&
          typeof one.body?.code === 'string' &&
          one.body.status === one.status;
        t.that(
          isProblem,
          `a problem document for ${path}`,
          `${one.mediaType}: ${one.text.slice(0, 200)}`,
          one,
        );
      }
    },
  },
  {
    id: 'problem.too-large',
    requirement: 'SHOULD',
    section: 'errors',
    rule: 'A request that is too large is refused with a problem document: 400, 414 or 431.',
    async run(t) {
      // The first is small enough for most servers to read it, the second is not.
      for (const length of [9000, 40_000]) {
        const what = `an address of ${length} characters`;
        const long = await t.list({ cursor: 'A'.repeat(length) });
        t.that([400, 414, 431].includes(long.status), `400, 414 or 431 for ${what}`, long.summary);
        t.same(long.mediaType, 'application/problem+json', `the content type for ${what}`);
      }
    },
  },
]);

const HEADERS = checksOf({ level: 'list', section: 'headers-of-responses', isLast: true }, [
  {
    id: 'headers.no-store',
    rule: 'Every response has Cache-Control: no-store.',
    async run(t) {
      for (const one of await allResponses(t))
        t.that(
          /\bno-store\b/.test(one.header('cache-control') ?? ''),
          'Cache-Control: no-store',
          String(one.header('cache-control')),
          one,
        );
    },
  },
  {
    id: 'headers.request-id',
    rule: 'Every response has a Request-Id.',
    async run(t) {
      for (const one of await allResponses(t))
        t.that((one.header('request-id') ?? '') !== '', 'a Request-Id', 'none', one);
    },
  },
  {
    id: 'headers.request-id.unique',
    rule: 'No two responses have the same Request-Id.',
    async run(t) {
      const seen = new Set();
      for (const one of await allResponses(t)) {
        const id = one.header('request-id');
        if (id === undefined) continue;
        t.that(!seen.has(id), 'another Request-Id for each response', `${id} again`, one);
        seen.add(id);
      }
    },
  },
  {
    id: 'headers.link',
    requirement: 'SHOULD',
    rule: 'A page with nextCursor has a Link with rel="next", which leads to the page that the cursor leads to.',
    async run(t) {
      const page = await t.list();
      const { nextCursor } = readPage(page);
      if (nextCursor === null) t.notJudged('the account has a single page');
      const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(page.header('link') ?? '') ?? [];
      t.that(target !== undefined, 'Link with rel="next"', String(page.header('link')), page);
      const { search } = new URL(String(target), page.sent.url);
      t.same(new URLSearchParams(search).get('cursor'), nextCursor, 'the cursor in Link', page);
      t.status(await t.list(search.slice(1)), 200, 'the address in Link');
    },
  },
  {
    id: 'headers.link.last-page',
    requirement: 'SHOULD',
    rule: 'The last page has no Link with rel="next" and no Cursor-Expires.',
    async run(t) {
      const page = await t.list({ from: '0001-01-01', to: '0001-01-01' });
      if (readPage(page).nextCursor !== null) t.notJudged('the account has transactions of the year 1');
      t.that(
        !/rel="?next/.test(page.header('link') ?? ''),
        'no Link with rel="next"',
        String(page.header('link')),
        page,
      );
      t.same(page.header('cursor-expires'), undefined, 'Cursor-Expires', page);
    },
  },
  {
    id: 'headers.rate-limited',
    section: 'errors',
    rule: 'A refusal for too many requests is 429 rate_limited with Retry-After.',
    async run(t) {
      const refused = (await allResponses(t)).filter((one) => one.status === 429 && isList(one));
      if (refused.length === 0)
        t.notJudged('no request was refused for its rate, and the kit does not provoke it');
      for (const one of refused) {
        if (one.sent.method !== 'HEAD') t.problem(one, 429, 'rate_limited', 'a refusal');
        t.that(
          /^\d+$/.test(one.header('retry-after') ?? ''),
          'Retry-After in seconds',
          String(one.header('retry-after')),
          one,
        );
      }
    },
  },
  {
    id: 'headers.unavailable',
    section: 'errors',
    rule: 'A response that the service cannot give now is 503 unavailable with Retry-After, never 500.',
    async run(t) {
      const failed = (await allResponses(t)).filter(({ status }) => status >= 500);
      if (failed.length === 0) t.notJudged('every request was answered');
      for (const one of failed) {
        t.same(one.status, 503, 'the status of a failure', one);
        t.that(one.header('retry-after') !== undefined, 'Retry-After', 'none', one);
      }
    },
  },
]);

export default [...PROBLEMS, ...HEADERS];
