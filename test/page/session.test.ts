import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { makeSession } from '../../src/keys/session.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { eventually, fragmentOf, type PageWindow, pageTests } from '../rig/page/browser.ts';
import { name, pageTransactions } from '../rig/page/page-transactions.ts';
import { atEnd } from '../rig/run/at-end.ts';
import { someEntry } from '../rig/store/audit.ts';
import { checkAccessibility } from './check-accessibility.ts';

const MINUTE_MS = 60_000;
const PERSON = 'ada@platform.example';

async function codeFor({ store, clock }: PageWindow['app'], account: string) {
  const rights = { scopes: ['read'] as const, expiresInMs: 480 * MINUTE_MS, maker: null };
  const wanted = { account, person: PERSON, reason: null, ...rights };
  const { code, stored } = makeSession(wanted, clock.now(), randomBytes);
  await store.createApiKey(stored, someEntry(account));
  return { code, id: stored.id, expiresAtMs: stored.expiresAtMs };
}

const platform = await serveHttp({ after: atEnd }, (request, response) => {
  const framed = new URL(request.url ?? '', 'http://platform').searchParams.get('frame');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(
    `<!doctype html><html lang="en"><title>Platform</title><h1>Platform</h1>${
      framed === null ? '' : `<iframe title="Payments" width="1000" height="700" src="${framed}"></iframe>`
    }`,
  );
});

const settings = { sessionReturnUrl: `${platform}/payments`, embedOrigins: [platform] };
const options = { transactions: pageTransactions, settings, otherSite: platform };
const { test, it } = pageTests(options);
const signInLink = (page: Page) => page.getByRole('link', { name: /^Sign in at 127\.0\.0\.1/ });

async function openByLink({ page, app, url, account }: PageWindow, route = '') {
  const made = await codeFor(app, account);
  await page.goto(`${url}/#session=${made.code}${route}`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  assert.ok(!page.url().includes(made.code), 'the code in the address');
  return made;
}

async function comeBackAt(page: Page, timeMs: number): Promise<void> {
  await page.clock.setFixedTime(timeMs);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

async function assertShowsNothing(page: Page, account: string, secretName = account): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await page.waitForFunction(
    (secrets) => {
      const contents = `${document.title}\n${document.body.innerText}\n${JSON.stringify(sessionStorage)}`;
      return !secrets.some((secret) => contents.includes(secret));
    },
    [secretName, PERSON, 'ts_live_'],
  );
}

test('a link signs its person in; its code is nowhere in the page, the bar says who is signed in until when, and signing out ends the session everywhere', async (window) => {
  const { page, app, account, requests } = window;
  await page.goto(`${platform}/`);
  const { code, id } = await openByLink(window);
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await page.getByText(`${PERSON}, until 20:00 UTC`).waitFor();
  const traces = await page.evaluate(() => [location.href, JSON.stringify(history.state), document.referrer]);
  assert.ok(![...traces, ...requests].some((text) => text.includes(code)), 'the code in an address');
  await page.goBack();
  assert.equal(page.url(), `${platform}/`, 'the link is an entry of the history');
  await page.goForward();
  await page.getByText(`${PERSON}, until 20:00 UTC`).waitFor();
  assert.ok(!page.url().includes(code), 'the code in the history');

  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByText(PERSON).waitFor();
  const away = await page.context().newPage();
  await away.goto(page.url());
  await away.getByText(PERSON).waitFor();
  await away.goto(platform);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await eventually(() => page.locator('#announcements').innerText(), 'You are signed out');
  const [stored] = await app.store.listSessions({ account, person: PERSON }, null, 1);
  assert.deepEqual([stored?.id, stored?.revokedAtMs], [id, app.clock.now()]);
  await away.goBack();
  for (const other of [tab, away])
    await other.getByRole('heading', { name: 'You were signed out: Signed out in another tab' }).waitFor();
  for (const signedOut of [page, tab, away]) await assertShowsNothing(signedOut, account);
});

test('before the end of a session the page warns; afterwards it shows nothing of the account and leads to the platform', async (window) => {
  const { page, account } = window;
  const { expiresAtMs } = await openByLink(window);
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await comeBackAt(page, expiresAtMs - 6 * MINUTE_MS);
  assert.equal(await page.getByText('Your session ends').count(), 0);
  await comeBackAt(page, expiresAtMs - 4 * MINUTE_MS);
  await page.getByText('Your session ends at 20:00 UTC.').waitFor();
  await checkAccessibility(page);
  await page.getByRole('link', { name: /^Sign in again at/ }).waitFor();
  await comeBackAt(page, expiresAtMs + MINUTE_MS);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await assertShowsNothing(page, account);
  assert.equal(await signInLink(page).getAttribute('href'), settings.sessionReturnUrl);
  await checkAccessibility(page);
});

test('a page that the browser cached or restored does not show its old content', async (window) => {
  const { page, app, account } = window;
  const { id } = await openByLink(window);
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await app.store.endSessions({ account, person: null, id, nowMs: app.clock.now() }, someEntry(account));
  await app.keyCache.refresh();
  const isHidden = await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    return document.documentElement.checkVisibility() === false;
  });
  assert.ok(isHidden);
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await assertShowsNothing(page, account, `${account}.`);
});

test('the page works in a frame of the platform without storage, and in nobody else’s', async (window) => {
  const { page, app, url, account } = window;
  const response = await page.request.get(url);
  assert.match(
    String(response.headers()['content-security-policy']),
    new RegExp(`frame-ancestors ${platform};`),
  );
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('refused', 'SecurityError');
    };
    for (const storage of ['sessionStorage', 'localStorage', 'BroadcastChannel'])
      Object.defineProperty(window, storage, { get: refuse });
  });
  const { code } = await codeFor(app, account);
  await page.goto(`${platform}/?frame=${encodeURIComponent(`${url}/#session=${code}`)}`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await frame.getByText(PERSON).waitFor();
  await frame.getByRole('button', { name: 'Sign out' }).click();
  await frame.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await frame.getByRole('link', { name: /^Sign in at/ }).click();
  await page.waitForURL(settings.sessionReturnUrl);
});

it('a used code is refused with a link to get another one, and signs nobody in', async (window) => {
  const { page, url, account } = window;
  const { code } = await openByLink(window);
  await page.goto(`${url}/?again#session=${code}`);
  await page.getByRole('alert').getByText('This link cannot be used any more').waitFor();
  await page.getByText('It works once, within a minute').waitFor();
  await signInLink(page).waitFor();
  await assertShowsNothing(page, account);
  assert.ok(!page.url().includes(code));
});

it('a shared link works after signing in at the platform, and a sign-in link can say what to show', async (window) => {
  const { page, url, account, app } = window;
  const shared = `#/transactions/${account}.${name(2)}`;
  await page.goto(`${url}/${shared}`);
  await page.getByText('This link shows the transaction').waitFor();
  await signInLink(page).click();
  await page.waitForURL(settings.sessionReturnUrl);
  await openByLink(window);
  await page.getByRole('region', { name: 'Recorded by the service' }).waitFor();
  await eventually(() => fragmentOf(page), shared);

  const { code } = await codeFor(app, account);
  await page.evaluate(
    (link) => location.assign(link),
    `#session=${code}&/transactions?currency=EUR&timeZone=Asia/Tokyo`,
  );
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await eventually(() => fragmentOf(page), '#/transactions?currency=EUR');
  await page.getByRole('link', { name: 'Bank file' }).click();
  await page.getByRole('button', { name: 'Time zone Asia/Tokyo' }).waitFor();
});

it('if the service does not answer, signing out says so, and can be tried again', async (window) => {
  const { page, app, account } = window;
  await openByLink(window);
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await page.route('**/v1/session', (route) =>
    route.fulfill({ status: 404, contentType: 'text/plain', body: 'a proxy' }),
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Signed out here, but not on the service' }).waitFor();
  await assertShowsNothing(page, account);
  await page.unroute('**/v1/session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  const [stored] = await app.store.listSessions({ account, person: PERSON }, null, 1);
  assert.notEqual(stored?.revokedAtMs, null);
});

it('a device with a wrong clock ends a session at the same time as the service', async (window) => {
  const { page, account, app } = window;
  const start = app.clock.now() + 420 * MINUTE_MS;
  await page.clock.setFixedTime(start);
  const { expiresAtMs } = await openByLink(window);
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await comeBackAt(page, expiresAtMs + 414 * MINUTE_MS);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  assert.equal(await page.getByText('Your session ends').count(), 0);
  await comeBackAt(page, expiresAtMs + 421 * MINUTE_MS);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
});
