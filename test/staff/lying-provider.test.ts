import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { testConfig } from '../rig/service/app.ts';
import { CLIENT_SECRET } from '../rig/staff/certified-provider.ts';
import { type Lies, type LyingProvider, startLyingProvider } from '../rig/staff/lying-provider.ts';
import {
  buildStaffApp,
  otherAt,
  pathOf,
  type StaffApp,
  StaffBrowser,
  staffSettings,
} from '../rig/staff/staff-app.ts';

let provider: LyingProvider;
let app: StaffApp;

before(async () => {
  provider = await startLyingProvider(CLIENT_SECRET);
  app = await buildStaffApp(staffSettings(provider.issuer));
});

async function signIn(lies: Lies, alter: (back: URL) => void = () => {}) {
  provider.lies = {};
  provider.requests = [];
  const browser = new StaffBrowser();
  const { location } = await browser.send(app, '/staff');
  const back = new URL(provider.wayBack(location));
  alter(back);
  provider.lies = lies;
  const answer = await browser.send(app, pathOf(back.href));
  return { ...answer, isSignedIn: browser.cookies.has('staff') };
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const WRONG: Readonly<Record<string, () => Lies>> = {
  'of another nonce': () => ({ claims: { nonce: 'another' } }),
  'without a nonce': () => ({ claims: { nonce: undefined } }),
  'for another audience': () => ({ claims: { aud: 'another' } }),
  'for several audiences, issued to another one': () => ({
    claims: { aud: ['transactions', 'another'], azp: 'another' },
  }),
  'of another issuer': () => ({ claims: { iss: 'https://other.example' } }),
  'that expired more than a minute ago': () => ({ claims: { exp: nowSeconds() - 70 } }),
  'that begins more than a minute later': () => ({ claims: { nbf: nowSeconds() + 90 } }),
  'without an expiry': () => ({ claims: { exp: undefined } }),
  'without a subject': () => ({ claims: { sub: undefined } }),
  'that another key signed': () => ({ signature: 'of another key' }),
  'of a key that the provider does not name': () => ({ header: { kid: 'another' } }),
  'without a signature': () => ({ signature: 'none' }),
  'that is signed with the secret of the client': () => ({ signature: 'hmac of the client secret' }),
  'whose person has another subject at userinfo': () => ({ userinfo: { sub: 'ben' } }),
  'that is none': () => ({
    answers: {
      '/token': (response) =>
        response
          .setHeader('content-type', 'application/json')
          .end('{"access_token":"a","token_type":"Bearer","id_token":"x"}'),
    },
  }),
};

for (const [what, lies] of Object.entries(WRONG))
  test(`502: a token ${what} signs nobody in`, async () => {
    const { status, text, isSignedIn } = await signIn(lies());
    assert.deepEqual({ status, isSignedIn }, { status: 502, isSignedIn: false });
    assert.match(text, /<h1>Signing in does not work here<\/h1>/);
  });

test('303: the clocks of provider and service can differ by a minute', async () => {
  for (const claims of [{ exp: nowSeconds() - 40 }, { nbf: nowSeconds() + 40, iat: nowSeconds() + 40 }])
    assert.equal((await signIn({ claims })).isSignedIn, true);
});

test('400: a redirect from the provider with another state, several or none signs nobody in, and no token is requested', async () => {
  const alterations: ((query: URLSearchParams) => void)[] = [
    (query) => query.set('state', 'another'),
    ...[0, 1, -1].map((at) => (query: URLSearchParams) => {
      query.set('state', otherAt(query.get('state') ?? '', at));
    }),
    (query) => query.delete('state'),
    (query) => query.append('state', 'another'),
    (query) => query.delete('code'),
    (query) => query.append('code', 'another'),
  ];
  for (const alter of alterations) {
    const { status, isSignedIn } = await signIn({}, ({ searchParams }) => alter(searchParams));
    assert.deepEqual({ status, isSignedIn }, { status: 400, isSignedIn: false });
    assert.ok(!provider.requests.includes('/token'));
  }
});

const AUTHORIZATION_ERRORS: [status: number, errors: string, level: number, title: RegExp][] = [
  [
    403,
    'access_denied login_required interaction_required account_selection_required',
    30,
    /refused the sign-in/,
  ],
  [503, 'server_error temporarily_unavailable', 40, /not possible at the moment/],
  [
    502,
    'invalid_scope invalid_request unauthorized_client unsupported_response_type consent_required invalid_request_uri invalid_request_object request_not_supported request_uri_not_supported registration_not_supported of_a_later_version',
    40,
    /This is not about you/,
  ],
];

for (const [expected, errors, level, title] of AUTHORIZATION_ERRORS)
  test(`${expected}: an error of the provider is explained and logged: ${errors}`, async () => {
    for (const error of errors.split(' ')) {
      app.logged.length = 0;
      const { status, text } = await signIn({}, ({ searchParams }) => {
        searchParams.delete('code');
        searchParams.set('error', error);
      });
      assert.equal(status, expected, error);
      assert.match(text, title, error);
      const logged = app.logged
        .map((line) => JSON.parse(line))
        .find(({ msg }) => msg === 'a sign-in of staff failed');
      assert.deepEqual([logged?.level, logged?.cause], [level, `"${error}"`]);
    }
  });

const json = (status: number, body: object) => ({
  '/token': (response: import('node:http').ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  },
});

test('503: a provider that does not answer, fails, or is not an OpenID provider', async () => {
  const cases: Lies[] = [
    { answers: { '/token': (response) => response.destroy() } },
    { answers: { '/keys': (response) => response.destroy() } },
    { answers: { '/userinfo': (response) => response.destroy() } },
    { answers: { '/.well-known/openid-configuration': (response) => response.writeHead(500).end() } },
    { answers: { '/token': (response) => response.setHeader('content-type', 'text/html').end('<p>Login') } },
    { answers: json(503, { error: 'temporarily_unavailable' }) },
    { answers: { '/userinfo': (response) => response.writeHead(429).end() } },
    { answers: json(200, { access_token: 'x'.repeat(2_000_000), token_type: 'Bearer' }) },
  ];
  for (const lies of cases) {
    const { status, headers, isSignedIn } = await signIn(lies);
    assert.deepEqual({ status, isSignedIn }, { status: 503, isSignedIn: false });
    assert.equal(headers['retry-after'], '60');
  }
});

test('502: an endpoint of the provider that refuses or does not exist is reported as an error in the set-up', async () => {
  for (const path of ['/.well-known/openid-configuration', '/keys', '/token', '/userinfo'])
    for (const refused of [401, 403, 404]) {
      app.logged.length = 0;
      const { status, text } = await signIn({
        answers: { [path]: (response) => response.writeHead(refused).end() },
      });
      assert.equal(status, 502, `${path} ${refused}`);
      assert.doesNotMatch(text, /does not answer/);
      assert.match(app.logged.join(''), new RegExp(`"cause":"unexpected [^"]+: ${refused}"`));
    }
});

test('502: a provider whose issuer differs from the setting is refused', async () => {
  const other = await startLyingProvider(CLIENT_SECRET);
  other.lies = { metadata: { issuer: 'http://127.0.0.1:1' } };
  const misled = await buildStaffApp(staffSettings(other.issuer));
  const { status, text } = await new StaffBrowser().send(misled, '/staff');
  assert.equal(status, 502);
  assert.match(text, /does not work here/);
});

const REFUSED: Readonly<Record<string, [claims: object, text: RegExp]>> = {
  'with a claim of the person that is no text': [
    { email: ['ada@platform.example'] },
    /did not send the claim/,
  ],
  'with a name that is too long': [{ email: 'a'.repeat(129) }, /The claim email must be 1 to 128 characters/],
  'whose group only begins as one with a role': [{ groups: ['support-de'] }, /You have no role here/],
};

for (const [who, [claims, text]] of Object.entries(REFUSED))
  test(`403: somebody ${who} sees what is missing`, async () => {
    const answer = await signIn({ claims: { ...claims } });
    assert.deepEqual([answer.status, answer.isSignedIn], [403, false]);
    assert.match(answer.text, text);
  });

test('an email address counts as verified if the claim is true, as a text or number too, or is absent', async () => {
  for (const email_verified of [true, 'true', 'True', 'TRUE', 1, '1', undefined])
    assert.equal((await signIn({ claims: { email_verified } })).status, 303, String(email_verified));
  for (const email_verified of [false, 'false', 0, '', null, 'yes', {}, [false]]) {
    const { status, text } = await signIn({ claims: { email_verified } });
    assert.equal(status, 403, JSON.stringify(email_verified));
    assert.match(
      text,
      /does not say that the address ada@platform.example is verified.*Verify it at the provider/s,
    );
  }
});

test('page and log report a claim that the provider does not send as an error in the set-up', async () => {
  for (const [claims, page, cause] of [
    [{ email: undefined }, /OIDC_PERSON_CLAIM/, /did not send the claim email/],
    [{ groups: undefined }, /The provider sent none of these claims/, /no claim of OIDC_ROLES/],
  ] as const) {
    app.logged.length = 0;
    const { status, text } = await signIn({ claims });
    assert.equal(status, 403);
    assert.match(text, page);
    assert.match(app.logged.join(''), cause);
  }
  assert.doesNotMatch((await signIn({ claims: { groups: ['sales'] } })).text, /none of these claims/);
});

test('303: groups and the email address can come from userinfo, but claims in the token take precedence', async () => {
  const claims = { email: undefined, email_verified: undefined, groups: undefined };
  const userinfo = { email: 'eve@platform.example', groups: ['support'] };
  assert.equal((await signIn({ claims, userinfo })).status, 303);
  assert.equal((await signIn({ claims: { groups: ['sales'] }, userinfo })).status, 403);
});

test('strangers who begin sign-ins cause one request to the provider', async () => {
  const asked = await startLyingProvider(CLIENT_SECRET);
  const quiet = await buildStaffApp(staffSettings(asked.issuer));
  const begun = await Promise.all(Array.from({ length: 20 }, () => new StaffBrowser().send(quiet, '/staff')));
  assert.deepEqual([...new Set(begun.map(({ status }) => status))], [303]);
  assert.equal(asked.requests.length, 1);
});

test('429: a repeated redirect from the provider causes few requests to the provider', async () => {
  const asked = await startLyingProvider(CLIENT_SECRET);
  const config = { ...testConfig, failedAuthenticationRateLimit: { perSecond: 1, burst: 5 } };
  const limited = await buildStaffApp(staffSettings(asked.issuer), { config });
  const browser = new StaffBrowser();
  const { location } = await browser.send(limited, '/staff');
  const back = pathOf(asked.wayBack(location));
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join();
  asked.lies = { answers: json(400, { error: 'invalid_grant' }) };
  const statuses: number[] = [];
  for (let tries = 0; tries < 20; tries++)
    statuses.push((await new StaffBrowser().send(limited, back, undefined, { cookie })).status);
  assert.deepEqual([...new Set(statuses)], [400, 429]);
  assert.ok(asked.requests.filter((path) => path === '/token').length < 10);
});
