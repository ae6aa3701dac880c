import { allResponses, isList } from '../all-responses.js';
import { checksOf } from './check.js';

/** @type {Record<number, string[]>} */
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
  'invalid_time_zone',
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

const INTERNALS =
  /(\n|\\n)\s+at |node_modules|\.(js|ts|py|rb|java|go):\d+|\bSELECT\b.+\bFROM\b|ECONNREFUSED|SQLSTATE/;

/** @param {Context} t */
const problems = async (t) =>
  (await allResponses(t)).filter(({ status, sent }) => status >= 400 && sent.method !== 'HEAD');

export default checksOf({ level: 'list', section: 'errors', isLast: true }, [
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
    rule: 'Every error has the texts type, title, detail, code and requestId, which is that of the header Request-Id, and the status of the response.',
    async run(t) {
      for (const one of await problems(t)) {
        const { body } = one;
        const missing = ['type', 'title', 'detail', 'code', 'requestId'].filter(
          (name) => typeof body?.[name] !== 'string' || body[name] === '',
        );
        t.same(missing, [], 'missing texts', one);
        t.same(body.status, one.status, 'status in the document', one);
        t.same(body.requestId, one.header('request-id'), 'requestId', one);
      }
    },
  },
  {
    id: 'problem.title',
    requirement: 'SHOULD',
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
    id: 'problem.codes',
    rule: 'The code of an error is one of the codes of its status.',
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
        const { protocol, origin, pathname } = new URL(type, one.sent.url);
        if (!/^https?:$/.test(protocol)) t.that(false, 'the URL reference of a page in type', type, one);
        const base = new URL(`${t.client.url}/`);
        if (origin === base.origin && pathname.startsWith(base.pathname)) {
          const path = `/${pathname.slice(base.pathname.length)}`;
          t.status(await t.get(path, { authorization: null }), 200);
        } else t.judged++;
      }
    },
  },
  {
    id: 'problem.no-internals',
    requirement: 'SHOULD',
    rule: 'An error shows no internals of the service, such as a stack trace or a statement.',
    async run(t) {
      for (const one of await problems(t))
        t.that(!INTERNALS.test(one.text), 'no stack and no statement', one.text.slice(0, 400), one);
    },
  },
  {
    id: 'problem.framework',
    rule: 'Requests that a framework refuses get the same kind of document.',
    async run(t) {
      for (const path of ['/v1/transactions/%', '/v1/transactions?status=%E0%A4%A', '/v1/%zz']) {
        const one = await t.get(path);
        t.that(one.status >= 400 && one.status < 500, `a status from 400 to 499 for ${path}`, one);
        const isCoded = typeof one.body?.code === 'string' && one.body.status === one.status;
        const isProblem = one.mediaType === 'application/problem+json' && isCoded;
        t.that(isProblem, 'a problem document', `${one.mediaType}: ${one.text.slice(0, 200)}`, one);
      }
    },
  },
  {
    id: 'problem.too-large',
    section: 'requests',
    rule: 'A request target of 4,096 characters is accepted; a longer one that is refused is 414 uri_too_long or 431 headers_too_large.',
    async run(t) {
      const { pathname } = new URL(`${t.client.url}/v1/transactions`);
      for (const length of [4096, 9000, 40_000]) {
        const long = await t.list({ cursor: 'A'.repeat(length - `${pathname}?cursor=`.length) });
        const got = `${long.status} ${long.body?.code}`;
        const refusals = length > 4096 ? ['414 uri_too_long', '431 headers_too_large'] : [];
        const expected = ['400 cursor_malformed', ...refusals];
        t.that(expected.includes(got), `${expected.join(' or ')} for ${length} characters`, got, long);
      }
    },
  },
]);
