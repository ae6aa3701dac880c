import { judgeKeyNeeded, unknownKey } from '../judge-refusals.js';
import { isTime } from '../transaction.js';
import { checksOf } from './check.js';

/**
 * A report must not show a key, so `shownAuthorization` has $KEY in its place.
 * @param {Context} t @returns {{ authorization: string, shownAuthorization: string }[]}
 */
function alteredKeys({ client, random, deployment: { secrets } }) {
  const { key } = client;
  const last = key.at(-1) === 'x' ? 'y' : 'x';
  const middle = Math.floor(key.length / 2);
  const other = key[middle] === 'q' ? 'r' : 'q';
  const forms = [
    [key.slice(0, -1) + last, `\${KEY%?}${last}`],
    [
      key.slice(0, middle) + other + key.slice(middle + 1),
      `\${KEY:0:${middle}}${other}\${KEY:${middle + 1}}`,
    ],
    [key.slice(0, -1), '$' + '{KEY%?}'],
    [`${key}x`, '$' + '{KEY}x'],
    [`${key}${key}`, '$KEY$KEY'],
    key.toUpperCase() === key ? [key.toLowerCase(), '$' + '{KEY,,}'] : [key.toUpperCase(), '$' + '{KEY^^}'],
    [`tk_live_${random.letters(36)}`, 'tk_live_ and 36 random characters'],
    ['x', 'x'],
  ];
  const altered = forms.filter(([value]) => value !== key);
  return altered.map(([value, shown]) => {
    secrets.add(value, shown);
    return { authorization: `Bearer ${value}`, shownAuthorization: `Bearer ${shown}` };
  });
}

export default checksOf({ level: 'list', section: 'authentication' }, [
  {
    id: 'auth.missing',
    rule: 'A request without a key is 401 missing_api_key, with WWW-Authenticate: Bearer realm="transactions", without error.',
    run: (t) =>
      t.each([null, 'Bearer', 'Bearer '], async (authorization) => {
        const page = await t.list('', { authorization });
        const what = `Authorization: ${authorization ?? 'absent'}`;
        t.problem(page, 401, 'missing_api_key', what);
        const challenge = challengeOf(page);
        const isRight = /^Bearer realm="transactions"$/i.test(challenge);
        t.that(isRight, 'WWW-Authenticate: Bearer realm="transactions"', challenge, page);
      }),
  },
  {
    id: 'auth.scheme',
    rule: 'A key with a scheme other than Bearer, or without a scheme, is 401 missing_api_key; Bearer can be in any case.',
    async run(t) {
      const withScheme = (/** @type {string} */ scheme) =>
        t.list('', { authorization: scheme + t.client.key, shownAuthorization: `${scheme}$KEY` });
      t.status(await withScheme('bearer '), 200, 'the key after "bearer "');
      await t.each(['', 'Basic ', 'Token ', 'Bearer', 'Key '], async (scheme) =>
        t.problem(await withScheme(scheme), 401, 'missing_api_key', `the key after "${scheme}"`),
      );
    },
  },
  {
    id: 'auth.invalid',
    rule: 'A key that is unknown or misspelt is 401 invalid_api_key, and WWW-Authenticate has error="invalid_token". All such keys get the same response, which therefore reveals nothing.',
    async run(t) {
      const answers = [];
      for (const header of alteredKeys(t)) {
        const page = await t.list('', header);
        const what = `Authorization: ${header.shownAuthorization}`;
        t.problem(page, 401, 'invalid_api_key', what);
        const challenge = challengeOf(page);
        const isRight = /^Bearer\b(?=.*realm="transactions").*error="invalid_token"/i.test(challenge);
        t.that(
          isRight,
          'WWW-Authenticate: Bearer realm="transactions", error="invalid_token"',
          challenge,
          page,
        );
        answers.push([page.body.title, page.body.detail]);
        t.same(answers.at(-1), answers[0], `the title and the detail for ${what}`, page);
      }
    },
  },
  {
    id: 'auth.before-faults',
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
      const response = t.status(await t.get('/v1/key'), 200);
      const { account, id, kind, person, scopes, expiresAt } = response.body ?? {};
      const isText = (/** @type {unknown} */ text) => typeof text === 'string' && text !== '';
      t.that(isText(account) && isText(id), 'texts in account and id', response.text, response);
      const isRight = kind === 'key' ? person === null : isText(person);
      t.that(isRight, 'null in person if kind is key, and a text otherwise', response.text, response);
      t.that(Array.isArray(scopes) && scopes.includes('read'), 'read in scopes', response.text, response);
      const isEnd = expiresAt === null || isTime(expiresAt);
      t.that(isEnd, 'null or a UTC time in expiresAt', response.text, response);
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
      const shown = page.text + JSON.stringify(page.headers);
      t.that(!shown.includes(secret), 'no key in the response', page.text.slice(0, 400), page);
    },
  },
]);

/** @param {Exchange} page */
const challengeOf = (page) => String(page.header('www-authenticate'));
