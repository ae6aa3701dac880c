import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createCookieSealer, SIGNED_IN_MS } from '../../src/staff/sealed-cookies.ts';
import { testClock } from '../rig/service/app.ts';
import { type CertifiedProvider, startCertifiedProvider } from '../rig/staff/certified-provider.ts';
import {
  buildStaffApp,
  pathOf,
  REDIRECT_URL,
  rolesOfText,
  type StaffApp,
  StaffBrowser,
  staffSettings,
} from '../rig/staff/staff-app.ts';

const PEOPLE = {
  ada: { email: 'ada@platform.example', email_verified: true, groups: ['support', 'audit'] },
  ben: { email: 'ben@platform.example', email_verified: true, groups: ['sales'] },
};

let provider: CertifiedProvider;
let app: StaffApp;

before(async () => {
  provider = await startCertifiedProvider(PEOPLE, [REDIRECT_URL]);
  provider.atBrowser = 'ada';
  app = await buildStaffApp(staffSettings(provider.issuer));
});

const isSignedIn = async (browser: StaffBrowser, at = app) =>
  (await browser.send(at, '/staff')).text.includes('Signed in as <b>');

test('303: a person with a role signs in, and returns to the page that they requested', async () => {
  const browser = new StaffBrowser();
  const { status, location, headers } = await browser.signIn(app, app, '/staff?find=store-1');
  assert.deepEqual([status, location], [303, '/staff?find=store-1']);
  const { text } = await browser.send(app, location);
  assert.match(text, /Signed in as <b>ada@platform\.example<\/b> until/);
  assert.match(text, /value="store-1"/);
  assert.match(String(headers['set-cookie']), /staff=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax/);
});

test('303: the request to the provider has PKCE, state, nonce, and the redirect URL of the settings, whatever the Host header', async () => {
  const browser = new StaffBrowser();
  const { location } = await browser.send(app, '/staff', undefined, { host: 'evil.example' });
  const { searchParams } = new URL(location);
  assert.equal(searchParams.get('redirect_uri'), REDIRECT_URL);
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  for (const name of ['code_challenge', 'state', 'nonce'])
    assert.match(searchParams.get(name) ?? '', /^[A-Za-z0-9_-]{22,}$/, name);
  assert.equal(searchParams.get('scope'), 'openid email groups');
});

test('303: another instance finishes a sign-in, and knows who is signed in', async () => {
  const other = await buildStaffApp(app.settings, { store: app.store });
  const browser = new StaffBrowser();
  const { status, location } = await browser.signIn(app, other);
  assert.deepEqual([status, location], [303, '/staff']);
  assert.ok(await isSignedIn(browser, app));
  assert.ok(await isSignedIn(browser, other));
});

test('400: a code that is used twice, or in another browser, signs nobody in', async () => {
  const browser = new StaffBrowser();
  const { location } = await browser.send(app, '/staff');
  const back = pathOf(await browser.atProvider(location));
  const copy = new StaffBrowser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  const stranger = new StaffBrowser();
  assert.equal((await stranger.send(app, back)).status, 400);
  assert.equal((await browser.send(app, back)).status, 303);
  const second = await copy.send(app, back);
  assert.equal(second.status, 400);
  assert.match(second.text, /This sign-in cannot be finished/);
  assert.ok(!(await isSignedIn(copy)) && !(await isSignedIn(stranger)));
  assert.equal((await browser.send(app, back)).location, '/staff');
});

test('303: sign-ins in several tabs are all finished, and the forms of the first tab stay valid', async () => {
  const browser = new StaffBrowser();
  const begin = async (find: string) =>
    pathOf(await browser.atProvider((await browser.send(app, `/staff?find=${find}`)).location));
  const tabs = await begin('one').then(async (one) => [one, await begin('two')]);
  const found: string[] = [];
  const tokens: string[] = [];
  for (const back of tabs) {
    const { status, location } = await browser.send(app, back);
    assert.equal(status, 303);
    found.push(location);
    tokens.push(await browser.formToken(app));
  }
  assert.deepEqual(found, ['/staff?find=one', '/staff?find=two']);
  assert.equal(tokens[0], tokens[1]);
  assert.deepEqual([...browser.cookies.keys()], ['staff']);
  const idle = new StaffBrowser();
  for (let times = 0; times < 30; times++) {
    await idle.send(app, '/staff');
    assert.ok(idle.cookies.size <= 8, String(idle.cookies.size));
  }
});

test('400: a sign-in that takes more than ten minutes cannot be finished', async () => {
  const clock = testClock(Date.now());
  const slow = await buildStaffApp(app.settings, { clock });
  const browser = new StaffBrowser();
  const { location } = await browser.send(slow, '/staff');
  const back = pathOf(await browser.atProvider(location));
  clock.advance(600_000);
  assert.equal((await browser.send(slow, back)).status, 400);
});

test('303: keys that the provider rotates are known at the next sign-in', async () => {
  assert.equal((await new StaffBrowser().signIn(app)).status, 303);
  provider.rotateKeys();
  assert.equal((await new StaffBrowser().signIn(app)).status, 303);
});

test('503: while the provider is down nobody can sign in, and people who are signed in continue', async () => {
  const browser = new StaffBrowser();
  await browser.signIn(app);
  const late = new StaffBrowser();
  const { location } = await late.send(app, '/staff');
  const back = pathOf(await late.atProvider(location));
  provider.isUp = false;
  try {
    const { status, text, headers } = await late.send(app, back);
    assert.equal(status, 503);
    assert.match(text, /Signing in is not possible at the moment/);
    assert.equal(headers['retry-after'], '60');
    const starting = await buildStaffApp(app.settings, { store: app.store });
    assert.equal((await new StaffBrowser().send(starting, '/staff')).status, 503);
    assert.ok(await isSignedIn(browser, starting));
  } finally {
    provider.isUp = true;
  }
  assert.equal((await new StaffBrowser().signIn(app)).status, 303);
});

test('403: a person without a role sees the missing requirement, and can sign in as somebody else', async () => {
  provider.atBrowser = 'ben';
  const browser = new StaffBrowser();
  const { status, text } = await browser.signIn(app);
  assert.equal(status, 403);
  assert.match(text, /You are signed in at the provider as ben@platform\.example/);
  assert.match(text, /One of these is needed: groups:support, groups:eu, groups:audit/);
  assert.match(text, /href="\/staff\/sign-in"/);
  provider.atBrowser = 'ada';
  assert.equal((await browser.signIn(app, app, '/staff/sign-in')).status, 303);
  assert.ok(await isSignedIn(browser));
});

test('303: a sign-out ends the sign-in in the browser, and the provider asks again at the next one', async () => {
  const browser = new StaffBrowser();
  await browser.signIn(app);
  const { status, location } = await browser.sendForm(app, '/staff/sign-out', {});
  assert.deepEqual([status, location], [303, '/staff/signed-out']);
  assert.match((await browser.send(app, location)).text, /You are signed out/);
  assert.ok(!(await isSignedIn(browser)));
  const prompt = async () => new URL((await browser.send(app, '/staff')).location).searchParams.get('prompt');
  assert.equal(await prompt(), 'login');
  await browser.signIn(app);
  browser.cookies.delete('staff');
  assert.equal(await prompt(), null);
});

test('a sign-in ends after eight hours, to the millisecond', async () => {
  const clock = testClock(Date.now());
  const timed = await buildStaffApp(app.settings, { clock });
  const sealer = createCookieSealer(
    ['a secret of the tests, long enough to be one'],
    () => new Uint8Array(64),
  );
  const browser = new StaffBrowser();
  browser.cookies.set('staff', sealer.signIn('ada', timed.settings.roles, clock.now()));
  clock.advance(SIGNED_IN_MS - 1);
  assert.ok(await isSignedIn(browser, timed));
  clock.advance(1);
  assert.ok(!(await isSignedIn(browser, timed)));
});

test('removing or changing a role takes effect at once', async () => {
  const browser = new StaffBrowser();
  await browser.signIn(app);
  const withRoles = (...texts: string[]) =>
    buildStaffApp({ ...app.settings, roles: rolesOfText(...texts) }, { store: app.store });
  assert.ok(await isSignedIn(browser, await withRoles('groups:support=read')));
  assert.ok(!(await isSignedIn(browser, await withRoles('groups:support=read@eu-'))));
});

test('behind TLS, cookies are bound to the host, and only sent over TLS', async () => {
  const secure = await buildStaffApp({ ...app.settings, redirectUrl: 'https://ops.example/staff/callback' });
  const { headers } = await new StaffBrowser().send(secure, '/staff');
  assert.match(
    String(headers['set-cookie']),
    /^__Host-staff-sign-in-[A-Za-z0-9]{8}=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('404: without the settings there is no page at /staff', async () => {
  const without = await buildStaffApp(app.settings, { staff: null });
  assert.equal((await new StaffBrowser().send(without, '/staff')).status, 404);
});

test('no log line of a sign-in has a person, a code, a token or a cookie', async () => {
  app.logged.length = 0;
  const browser = new StaffBrowser();
  const { location } = await browser.send(app, '/staff?find=store');
  const back = new URL(await browser.atProvider(location));
  await browser.send(app, pathOf(back.href));
  await browser.send(app, pathOf(back.href));
  // Ids of requests are removed first, because they may contain the letters `ada`.
  const logged = app.logged.join('').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '');
  assert.match(logged, /"signIn":"signed_in"/);
  const secrets = [...back.searchParams.values(), ...browser.cookies.values(), 'ada', 'find=store'];
  for (const secret of secrets) assert.ok(!logged.includes(secret), secret);
});
