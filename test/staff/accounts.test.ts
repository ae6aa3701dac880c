import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeApiKey } from '../../src/keys/api-key.ts';
import { SYSTEM_CLOCK } from '../../src/service/app.ts';
import { secureRandomBytes } from '../../src/service/random-bytes.ts';
import { createCookieSealer } from '../../src/staff/sealed-cookies.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';
import {
  buildStaffApp,
  otherAt,
  PUBLIC_URL,
  rolesOfText,
  type StaffAnswer,
  type StaffApp,
  StaffBrowser,
  staffSettings,
} from '../rig/staff/staff-app.ts';
import { someEntry } from '../rig/store/audit.ts';

const ACCOUNTS = ['eu-store-1', 'eu-store-2', 'us-store-1', 'us-STORE-2'];
const ROLES = rolesOfText(
  'groups:support=read',
  'groups:eu=read+webhooks@eu-',
  'groups:audit=audit',
  'groups:eu-audit=audit@eu-',
);
const [SUPPORT, EU, AUDIT, EU_AUDIT] = ROLES.map((role) => [role]) as [
  typeof ROLES,
  typeof ROLES,
  typeof ROLES,
  typeof ROLES,
];
const sealer = createCookieSealer(['a secret of the tests, long enough to be one'], secureRandomBytes);

let app: StaffApp;
let publicApp: TestApp;

before(async () => {
  app = await buildStaffApp(staffSettings('http://127.0.0.1:1', { roles: ROLES }));
  const clock = { ...SYSTEM_CLOCK, set: () => {}, advance: () => {} };
  publicApp = await buildTestApp({ store: app.store, clock });
  for (const account of ACCOUNTS) {
    const wanted = { account, label: null, expiresAtMs: null };
    await app.store.createApiKey(makeApiKey(wanted, Date.now(), secureRandomBytes).stored, someEntry());
  }
});

let people = 0;
function signedIn(roles: typeof ROLES, person = `person-${++people}@platform.example`) {
  const browser = new StaffBrowser();
  browser.cookies.set('staff', sealer.signIn(person, roles, Date.now()));
  return { browser, person };
}

const choices = ({ text }: StaffAnswer) =>
  [...text.matchAll(/type="radio" name="account" value="([^"]+)"/g)].map(([, account]) => account);
const chosen = ({ text }: StaffAnswer) => /value="([^"]+)" required checked/.exec(text)?.[1];
const faultOf = ({ text }: StaffAnswer) => /role="alert">([^<]+)/.exec(text)?.[1];
const LOOK = { account: 'eu-store-1', reason: 'ticket 1' };

test('a search finds the accounts of the roles by a part of the name, ignoring case', async () => {
  const all = signedIn(SUPPORT).browser;
  assert.deepEqual(choices(await all.send(app, '/staff?find=store')), [
    'eu-store-1',
    'eu-store-2',
    'us-STORE-2',
    'us-store-1',
  ]);
  assert.deepEqual(choices(await all.send(app, '/staff?find=STORE-2')), ['eu-store-2', 'us-STORE-2']);
  assert.deepEqual(choices(await all.send(app, '/staff')), []);
  const none = await all.send(app, `/staff?find=${encodeURIComponent('<b>"x')}`);
  assert.match(none.text, /No account has “&lt;b>"x” in its name/);
  assert.match(none.text, /value="&lt;b>&quot;x"/);
  const eu = signedIn(EU).browser;
  assert.deepEqual(choices(await eu.send(app, '/staff?find=store')), ['eu-store-1', 'eu-store-2']);
  const others = await eu.send(app, '/staff?find=us');
  assert.deepEqual(choices(others), []);
  assert.match(
    others.text,
    /Your roles are for accounts that begin with eu-\. None of these has “us” in its name\./,
  );
  assert.deepEqual(choices(await eu.send(app, '/staff?find=+store-1+')), ['eu-store-1']);
});

test('the pages are in the language that the browser prefers, among those of the page', async () => {
  const { browser } = signedIn(SUPPORT);
  for (const [accepted, language, heading] of [
    ['de-CH,de;q=0.9,en;q=0.8', 'de', 'Konto einsehen'],
    ['es, FR-fr;q=0.5', 'fr', 'Consulter un compte'],
    ['constructor,xx', 'en', 'Look at an account'],
  ] as const) {
    const { text } = await browser.send(app, '/staff', undefined, { 'accept-language': accepted });
    assert.ok(text.includes(`<html lang="${language}">`) && text.includes(`<h1>${heading}</h1>`), accepted);
    const refused = await browser.send(app, '/staff/sign-out', {}, { 'accept-language': accepted });
    assert.ok(refused.text.includes(`<html lang="${language}">`));
  }
});

test('if a search finds a single account, or one with exactly this name, it is selected', async () => {
  const { browser } = signedIn(SUPPORT);
  assert.equal(chosen(await browser.send(app, '/staff?find=u-store-2')), 'eu-store-2');
  assert.equal(chosen(await browser.send(app, '/staff?find=eu-store-1')), 'eu-store-1');
  assert.equal(chosen(await browser.send(app, '/staff?find=store')), undefined);
});

test('303: an account opens with a session of the person, the reason and the scopes of the roles', async () => {
  const { browser, person } = signedIn(EU);
  const { status, location } = await browser.sendForm(app, '/staff/sessions', LOOK);
  assert.equal(status, 303);
  const [, code] = /^https:\/\/payments\.example\/#session=(.+)$/.exec(location) ?? [];
  const opened = await publicApp.send('/v1/session', { method: 'POST', body: { code } });
  assert.equal(opened.status, 201);
  const { key, account, scopes, expiresAt } = opened.body;
  assert.deepEqual([account, opened.body.person, scopes], ['eu-store-1', person, ['read', 'webhooks']]);
  assert.ok(Date.parse(expiresAt) <= Date.now() + 8 * 3_600_000);
  assert.equal((await publicApp.send('/v1/transactions', { key })).status, 200);
  assert.equal((await publicApp.send('/v1/session', { method: 'POST', body: { code } })).status, 401);

  const entries = await app.store.listAudit('eu-store-1', null, 100);
  const ofPerson = entries.filter(({ detail }) => detail?.['person'] === person);
  assert.deepEqual(
    ofPerson.map(({ action, detail }) => [action, detail?.['reason']]),
    [
      ['session.created', 'ticket 1'],
      ['session.opened', 'ticket 1'],
    ],
  );
  assert.equal(ofPerson[0]?.actor, person);
});

test('the last five accounts of a person are offered, most recent first, in every browser', async () => {
  const { browser, person } = signedIn(SUPPORT);
  const opened = ['eu-store-1', 'us-store-1', 'eu-store-1', 'eu-store-2'];
  for (const account of opened) await browser.sendForm(app, '/staff/sessions', { ...LOOK, account });
  const other = signedIn(SUPPORT, person).browser;
  const offered = await other.send(app, '/staff');
  assert.deepEqual(choices(offered), ['eu-store-2', 'eu-store-1', 'us-store-1']);
  assert.match(offered.text, /<code>eu-store-2<\/code> <span class="quieter">ticket 1<\/span>/);
  const eu = signedIn(EU, person).browser;
  assert.deepEqual(choices(await eu.send(app, '/staff')), ['eu-store-2', 'eu-store-1']);
});

test('422: without a reason, an existing account and a role for it, no session is created, and the entered values stay', async () => {
  const { browser, person } = signedIn(EU);
  for (const [form, fault] of [
    [{ account: 'eu-store-1' }, /^The reason must be 1 to 255 characters/],
    [{ account: 'eu-store-1', reason: ' ' }, /^The reason must be/],
    [{ account: 'eu-store-1', reason: 'x'.repeat(256) }, /^The reason must be/],
    [{ account: 'eu-store-1', reason: 'a\u0000b' }, /^The reason must be/],
    [{ reason: 'ticket 1' }, /^Choose an account\./],
    [{ account: 'us-store-1', reason: 'ticket 1' }, /^None of your roles is for the account "us-store-1"\./],
    [{ account: 'eu-', reason: 'ticket 1' }, /^There is no account "eu-"\./],
    [{ account: 'eu-store', reason: 'ticket 1' }, /^There is no account "eu-store"\./],
    [{ account: '*', reason: 'ticket 1' }, /^None of your roles/],
    [{ account: '../eu-store-1', reason: 'ticket 1' }, /^None of your roles/],
  ] as const) {
    const answer = await browser.sendForm(app, '/staff/sessions', { find: 'eu', ...form });
    assert.equal(answer.status, 422, JSON.stringify(form));
    assert.match(faultOf(answer) ?? '', fault);
    assert.match(answer.text, /id="find" name="find" type="search" value="eu"/);
  }
  assert.deepEqual(await app.store.listSessions({ account: null, person }, null, 10), []);
});

test('403: a form of another site, of another sign-in or without its token does nothing', async () => {
  const { browser, person } = signedIn(SUPPORT);
  const token = await browser.formToken(app);
  const other = await signedIn(SUPPORT).browser.formToken(app);
  const forged: [form: Record<string, string>, headers?: Record<string, string>][] = [
    [{}],
    [{ token: '' }],
    [{ token: other }],
    [{ token: `${token}x` }],
    ...Array.from(token, (_, at): [Record<string, string>] => [{ token: otherAt(token, at) }]),
    [{ token }, { origin: 'https://evil.example' }],
    [{ token }, { origin: 'null' }],
    [{ token }, { origin: 'http://127.0.0.1:3001.evil.example' }],
    [{ token }, { origin: '' }],
    [{ token }, { 'content-type': 'text/plain' }],
    [{ token }, { 'content-type': 'application/json' }],
  ];
  for (const path of ['/staff/sessions', '/staff/sign-out'])
    for (const [form, headers] of forged) {
      const { status, text } = await browser.send(app, path, { ...LOOK, ...form }, headers);
      assert.equal(status, 403, JSON.stringify([path, form, headers]));
      assert.match(text, /The form was not sent from this page/);
    }
  assert.equal((await new StaffBrowser().send(app, '/staff/sessions', { ...LOOK, token })).status, 403);
  assert.deepEqual(await app.store.listSessions({ account: null, person }, null, 10), []);
  assert.ok(browser.cookies.has('staff'));
  assert.equal((await browser.send(app, '/staff/sessions', { ...LOOK, token })).status, 303);
});

test('the page of looks lists sessions by account and by person, with reason, opening and end, only for the scope audit', async () => {
  const { browser, person } = signedIn(SUPPORT);
  for (const account of ['eu-store-1', 'us-store-1'])
    await browser.sendForm(app, '/staff/sessions', { account, reason: `why <${account}>` });
  const rowsOf = ({ text }: StaffAnswer) =>
    [...text.matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)]
      .map(([, cells = '']) => cells.replaceAll(/<(?!\/td)[^>]*>/g, '').split('</td>'))
      .filter(([one]) => one === person);

  const auditor = signedIn(AUDIT).browser;
  const byPerson = rowsOf(await auditor.send(app, `/staff/looks?${new URLSearchParams({ person })}`));
  assert.deepEqual(
    byPerson.map(([, account, reason, created, ...ends]) => [account, reason, created?.slice(-4), ...ends]),
    [
      ['us-store-1', 'why &lt;us-store-1>', ' UTC', 'not opened', ''],
      ['eu-store-1', 'why &lt;eu-store-1>', ' UTC', 'not opened', ''],
    ],
  );
  const byAccount = rowsOf(await auditor.send(app, '/staff/looks?account=eu-store-1'));
  assert.deepEqual(
    byAccount.map(([, account]) => account),
    ['eu-store-1'],
  );

  const ofEu = signedIn(EU_AUDIT).browser;
  const seen = rowsOf(await ofEu.send(app, `/staff/looks?${new URLSearchParams({ person })}`));
  assert.deepEqual(
    seen.map(([, account]) => account),
    ['eu-store-1'],
  );
  assert.match(faultOf(await ofEu.send(app, '/staff/looks?account=us-store-1')) ?? '', /^None of your roles/);

  const { status, text } = await browser.send(app, '/staff/looks?account=eu-store-1');
  assert.equal(status, 403);
  assert.match(text, /Your role does not allow this/);
  assert.equal((await auditor.send(app, '/staff')).location, '/staff/looks');
  assert.match(faultOf(await auditor.sendForm(app, '/staff/sessions', LOOK)) ?? '', /^None of your roles/);
});

test('the page of looks shows every session of a person exactly once over its pages', async () => {
  const { browser, person } = signedIn(SUPPORT);
  const token = await browser.formToken(app);
  for (let number = 0; number < 103; number++)
    await browser.send(app, '/staff/sessions', { token, account: 'eu-store-2', reason: `number ${number}.` });
  const auditor = signedIn(AUDIT).browser;
  const reasons: string[] = [];
  for (let path: string | undefined = `/staff/looks?${new URLSearchParams({ person })}`; path; ) {
    const { text } = await auditor.send(app, path);
    reasons.push(...[...text.matchAll(/number (\d+)\./g)].map(([, number = '']) => number));
    path = /<a href="([^"]+)">Older ones/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  const numbers = reasons.map(Number).sort((one, other) => one - other);
  assert.deepEqual(
    numbers,
    Array.from({ length: 103 }, (_, index) => index),
  );
});

test('every page forbids foreign scripts, framing, caching and referrers to other sites', async () => {
  const { browser } = signedIn([...SUPPORT, ...AUDIT]);
  for (const path of ['/staff?find=store', '/staff/looks', '/staff/signed-out', '/staff/callback']) {
    const { headers } = await browser.send(app, path);
    const policy = String(headers['content-security-policy']);
    if (path !== '/staff/callback') {
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/, path);
      assert.match(policy, /script-src 'sha256-[A-Za-z0-9+/]{43}='; /);
      assert.doesNotMatch(policy, /unsafe/);
    }
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(String(headers['referrer-policy']), /^(no-referrer|same-origin)$/);
  }
  const { headers } = await browser.send(app, '/staff');
  assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/payments\.example;/);
});

test('no log line of a look has the person, the reason, the code or the cookie', async () => {
  app.logged.length = 0;
  const { browser, person } = signedIn(SUPPORT);
  const { location } = await browser.sendForm(app, '/staff/sessions', { ...LOOK, reason: 'a secret reason' });
  const logged = app.logged.join('');
  assert.match(logged, /"route":"\/staff\/sessions","status":303,.*"account":"eu-store-1","sessionId":"ses_/);
  for (const secret of [
    person,
    'secret reason',
    location.split('=').at(-1) ?? '',
    browser.cookies.get('staff') ?? '',
  ])
    assert.ok(!logged.includes(secret), secret);
  assert.ok(location.startsWith(PUBLIC_URL));
});
