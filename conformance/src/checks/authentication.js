import { judgeKeyNeeded, unknownKey } from '../judge-refusals.js';
import { isTime } from '../transaction.js';
import { checksOf } from './check.js';

/** @typedef {import('./check.js').Context} Context */

/**
 * Keys made from the given one, each with the shell text that makes it, so that no report contains a part of a key.
 * @param {Context} t @returns {{ authorization: string, shownAuthorization: string, what: string }[]}
 */
function alteredKeys({ client, random, deployment: { secrets } }) {
  const { key } = client;
  const last = key.at(-1) === 'x' ? 'y' : 'x';
  const middle = Math.floor(key.length / 2);
  const other = key[middle] === 'q' ? 'r' : 'q';
  const forms = [
    [key.slice(0, -1) + last, `\${KEY%?}${last}`, 'the key with another last character'],
    [
      key.slice(0, middle) + other + key.slice(middle + 1),
      `\${KEY:0:${middle}}${other}\${KEY:${middle + 1}}`,
      'the key with another character in the middle',
    ],
    [key.slice(0, -1), '$' + '{KEY%?}', 'the key without its last character'],
    [`${key}x`, '$' + '{KEY}x', 'the key with a character more'],
    [`${key}${key}`, '$KEY$KEY', 'the key twice'],
    key.toUpperCase() === key
      ? [key.toLowerCase(), '$' + '{KEY,,}', 'the key in lower case']
      : [key.toUpperCase(), '$' + '{KEY^^}', 'the key in upper case'],
    [`tk_live_${random.letters(36)}`, 'tk_live_ and 36 random characters', 'a random key'],
    ['x', 'x', 'one letter as the key'],
  ];
  // A key without letters has one case.
  const altered = forms.filter(([value]) => value !== key);
  return altered.map(([value, shown, what]) => {
    secrets.add(value, shown);
    return { authorization: `Bearer ${value}`, shownAuthorization: `Bearer ${shown}`, what };
  });
}

const AUTHENTICATION = checksOf({ level: 'list', section: 'authentication' }, [
  {
    id: 'auth.missing',
    rule: 'A request without a key is 401 missing_api_key.',
    run: async (t) =>
      t.problem(
        await t.list('', { authorization: null }),
        401,
        'missing_api_key',
        'a request without Authorization',
      ),
  },
  {
    id: 'auth.invalid',
    rule: 'A key that is unknown or misspelt is 401 invalid_api_key.',
    run: (t) =>
      t.each(alteredKeys(t), async ({ what, ...header }) =>
        t.problem(await t.list('', header), 401, 'invalid_api_key', what),
      ),
  },
  {
    id: 'auth.scheme',
    rule: 'A key with another scheme than Bearer, or without a scheme, is 401 missing_api_key; Bearer can be in any case.',
    async run(t) {
      const lower = { authorization: `bearer ${t.client.key}`, shownAuthorization: 'bearer $KEY' };
      t.status(await t.list('', lower), 200, 'the key after "bearer "');
      await t.each(['', 'Basic ', 'Token ', 'Bearer', 'Key '], async (scheme) => {
        const header = { authorization: `${scheme}${t.client.key}`, shownAuthorization: `${scheme}$KEY` };
        const what = scheme === '' ? 'a key without a scheme' : `the key after ${JSON.stringify(scheme)}`;
        t.problem(await t.list('', header), 401, 'missing_api_key', what);
      });
    },
  },
  {
    id: 'auth.empty',
    rule: 'The scheme Bearer without a key is 401 missing_api_key.',
    run: (t) =>
      t.each(['Bearer', 'Bearer '], async (authorization) =>
        t.problem(
          await t.list('', { authorization }),
          401,
          'missing_api_key',
          `Authorization: ${authorization}`,
        ),
      ),
  },
  {
    id: 'auth.same-answer',
    section: 'authentication',
    rule: 'All keys that are not valid get the same answer, so that nothing can be learnt from it.',
    async run(t) {
      const answers = [];
      for (const { what, ...header } of alteredKeys(t)) {
        const page = await t.list('', header);
        answers.push({
          what,
          page,
          title: page.body?.title,
          detail: page.body?.detail,
          code: page.body?.code,
        });
      }
      const [first, ...others] = answers;
      for (const { page, title, detail, code } of others)
        t.same(
          [title, detail, code],
          [first.title, first.detail, first.code],
          `the answer for ${first.what}`,
          page,
        );
    },
  },
  {
    id: 'auth.challenge.missing',
    section: 'authentication',
    rule: 'A 401 without a key has WWW-Authenticate: Bearer realm="transactions", without error.',
    async run(t) {
      const page = await t.list('', { authorization: null });
      t.that(
        /^Bearer realm="transactions"$/i.test(page.header('www-authenticate') ?? ''),
        'WWW-Authenticate: Bearer realm="transactions"',
        String(page.header('www-authenticate')),
        page,
      );
    },
  },
  {
    id: 'auth.challenge.invalid',
    section: 'authentication',
    rule: 'A 401 with a key has the same WWW-Authenticate with error="invalid_token".',
    async run(t) {
      const page = await t.list('', unknownKey(t));
      const value = page.header('www-authenticate') ?? '';
      t.that(
        /^Bearer\b/i.test(value) && /realm="transactions"/.test(value) && /error="invalid_token"/.test(value),
        'WWW-Authenticate: Bearer realm="transactions", error="invalid_token"',
        value,
        page,
      );
    },
  },
  {
    id: 'auth.before-faults',
    section: 'authentication',
    rule: 'The key is checked before the parameters: 401 comes before any 400.',
    run: (t) =>
      t.each(
        [{ status: 'nonsense' }, { curency: 'EUR' }, { from: '2026-02-30' }, { cursor: 'x' }],
        async (query) => {
          t.status(await t.list(query, { authorization: null }), 401, 'a faulty request without a key');
          t.status(await t.list(query, unknownKey(t)), 401, 'a faulty request with an invalid key');
        },
      ),
  },
  {
    id: 'auth.own-key',
    rule: 'GET /v1/key returns the account, id, kind, person, scopes and expiresAt of the key.',
    async run(t) {
      const response = t.status(await t.get('/v1/key'), 200, 'what the key is for');
      const { account, id, kind, person, scopes, expiresAt } = response.body ?? {};
      t.that(
        [account, id].every((text) => typeof text === 'string' && text !== ''),
        'texts in account and id',
        JSON.stringify({ account, id }),
        response,
      );
      t.that(
        kind === 'key' ? person === null : typeof person === 'string',
        'null in person if kind is key, and a text otherwise',
        JSON.stringify({ kind, person }),
        response,
      );
      t.that(
        Array.isArray(scopes) && scopes.includes('read'),
        'read in scopes',
        JSON.stringify(scopes),
        response,
      );
      t.that(
        expiresAt === null || isTime(expiresAt),
        'null or a UTC time in expiresAt',
        String(expiresAt),
        response,
      );
      await judgeKeyNeeded(t, '/v1/key');
    },
  },
  {
    id: 'auth.not-echoed',
    requirement: 'SHOULD',
    section: 'errors',
    rule: 'A response never contains the key that was sent.',
    async run(t) {
      const secret = `tk_live_${t.random.letters(36)}`;
      const page = await t.list('', { authorization: `Bearer ${secret}` });
      t.that(
        !page.text.includes(secret) && !JSON.stringify(page.headers).includes(secret),
        'no key in the response',
        page.text.slice(0, 400),
        page,
      );
    },
  },
  {
    id: 'auth.head',
    section: 'requests',
    rule: 'HEAD has the same authentication as GET.',
    async run(t) {
      t.status(await t.list('', { method: 'HEAD', authorization: null }), 401, 'HEAD without a key');
      t.status(await t.list('', { method: 'HEAD', ...unknownKey(t) }), 401, 'HEAD with an invalid key');
      t.status(await t.list('', { method: 'HEAD' }), 200, 'HEAD with the key');
    },
  },
]);

export default AUTHENTICATION;
