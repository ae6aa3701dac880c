import { allResponses, isList } from '../all-responses.js';
import { follow, samePage } from '../cursor-pages.js';
import { readPage } from '../page-through.js';
import { checksOf } from './check.js';

export default checksOf({ level: 'list', section: 'headers-of-responses', isLast: true }, [
  {
    id: 'headers.no-store',
    rule: 'Every response has Cache-Control: no-store.',
    async run(t) {
      for (const one of await allResponses(t)) {
        const value = String(one.header('cache-control'));
        t.that(/\bno-store\b/.test(value), 'Cache-Control: no-store', value, one);
      }
    },
  },
  {
    id: 'headers.request-id',
    rule: 'Every response has a Request-Id, and no two have the same.',
    async run(t) {
      const seen = new Set();
      for (const one of await allResponses(t)) {
        const id = one.header('request-id') ?? '';
        t.that(id !== '' && !seen.has(id), 'a Request-Id that no other response has', `"${id}"`, one);
        seen.add(id);
      }
    },
  },
  {
    id: 'headers.link',
    section: 'pages',
    rule: 'A page with nextCursor has a Link with rel="next", a URL reference that leads to the next page, even if the service is below a path.',
    async run(t) {
      const page = await t.list();
      const { nextCursor } = readPage(page);
      if (nextCursor === null) return t.notJudged('the account has a single page');
      const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(page.header('link') ?? '') ?? [];
      t.that(target !== undefined, 'Link with rel="next"', String(page.header('link')), page);
      const next = t.status(await follow(t, String(target), page), 200, 'the URL in Link');
      samePage(t, await t.list({ cursor: nextCursor }), next, 'the page of nextCursor');
    },
  },
  {
    id: 'headers.link.last-page',
    section: 'pages',
    rule: 'The last page has no Link with rel="next" and no Cursor-Expires.',
    async run(t) {
      const page = await t.list({ from: '0001-01-01', to: '0001-01-01' });
      if (readPage(page).nextCursor !== null) t.notJudged('the account has transactions of the year 1');
      const link = String(page.header('link'));
      t.that(!/rel="?next/.test(link), 'no Link with rel="next"', link, page);
      t.same(page.header('cursor-expires'), undefined, 'Cursor-Expires', page);
    },
  },
  {
    id: 'headers.rate-limit',
    requirement: 'SHOULD',
    rule: 'RateLimit-Policy has the limit of the key, and RateLimit has the number of requests that are left, in the form of the IETF draft.',
    async run(t) {
      const page = await t.list();
      const [policy, rest] = ['ratelimit-policy', 'ratelimit'].map((name) => page.header(name));
      if (policy === undefined && rest === undefined)
        t.notJudged('no response has RateLimit: keys without a limit need none');
      // Source: draft-ietf-httpapi-ratelimit-headers-10.
      const isPolicy = /^"[^"]*";q=\d+(;|$)/.test(policy ?? '');
      t.that(isPolicy, 'RateLimit-Policy such as "key";q=2000;w=2', String(policy), page);
      const isRest = /^"[^"]*";r=\d+(;|$)/.test(rest ?? '');
      t.that(isRest, 'RateLimit such as "key";r=1999;t=0', String(rest), page);
    },
  },
  {
    id: 'headers.rate-limited',
    section: 'limits',
    rule: 'A refusal for too many requests is 429 rate_limited with Retry-After.',
    async run(t) {
      const refused = (await allResponses(t)).filter((one) => one.status === 429 && isList(one));
      if (refused.length === 0)
        t.notJudged('no request was refused for its rate, and the kit does not provoke it');
      for (const one of refused) {
        if (one.sent.method !== 'HEAD') t.problem(one, 429, 'rate_limited');
        judgeRetryAfter(t, one);
      }
    },
  },
  {
    id: 'headers.unavailable',
    section: 'errors',
    rule: 'A failure of the service is 503 unavailable with Retry-After, or 500 internal_error.',
    async run(t) {
      const failed = (await allResponses(t)).filter(({ status }) => status >= 500);
      if (failed.length === 0) t.notJudged('every request was answered');
      for (const one of failed)
        if (one.status === 503) judgeRetryAfter(t, one);
        else if (one.sent.method !== 'HEAD') t.problem(one, 500, 'internal_error');
    },
  },
]);

/** @param {Context} t @param {Exchange} exchange */
function judgeRetryAfter(t, exchange) {
  const value = exchange.header('retry-after') ?? '';
  t.that(/^\d+$/.test(value), 'Retry-After in seconds', value, exchange);
}
