import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { sessionCreated } from '../../src/keys/keys.ts';
import { makeSession } from '../../src/keys/session.ts';
import { SYSTEM_CLOCK } from '../../src/service/app.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { lazy } from '../../values/lazy.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { freePort, serveHttp } from '../rig/http/loopback.ts';
import { browserTest } from '../rig/page/browser.ts';
import { atEnd } from '../rig/run/at-end.ts';
import { startCertifiedProvider } from '../rig/staff/certified-provider.ts';
import { buildStaffApp, staffSettings } from '../rig/staff/staff-app.ts';
import { someStamp } from '../rig/store/audit.ts';
import { NARROW, tooWide, violationsOf, WIDE } from './check-accessibility.ts';

const PEOPLE = {
  ada: { email: 'ada@platform.example', email_verified: true, groups: ['support', 'audit'] },
  ben: { email: 'ben@platform.example', email_verified: true, groups: ['sales'] },
};

async function serve() {
  const { store } = await openStore(IN_MEMORY_URL, SYSTEM_CLOCK.now);
  for (const account of ['eu-store-1', 'eu-store-2', 'us-store-1'])
    await record(store, [transaction(account, 'tx')]);
  const publicUrl = await serveHttp({ after: atEnd }, (_, response) => response.end());
  const port = await freePort();
  const redirectUrl = `http://127.0.0.1:${port}/staff/callback`;
  const provider = await startCertifiedProvider(PEOPLE, [redirectUrl]);
  const app = await buildStaffApp(staffSettings(provider.issuer, { redirectUrl, publicUrl }), { store });
  const url = await app.server.listen({ host: '127.0.0.1', port });
  atEnd(() => app.server.close());
  return { store, provider, url, publicUrl };
}

const served = lazy(serve);

async function check(page: Page): Promise<void> {
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    assert.deepEqual(await tooWide(page), []);
  }
  assert.deepEqual(await violationsOf(page), []);
}

async function signIn(browser: Browser, name: string) {
  const { url } = await served();
  const context = await browser.newContext({ bypassCSP: false, timezoneId: 'Asia/Tokyo' });
  const page = await context.newPage();
  await page.goto(`${url}/staff`);
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/staff**`);
  return page;
}

browserTest(
  'with only the keyboard, staff sign in, find an account, give a reason, and look at it',
  async (browser) => {
    const { store, url, publicUrl } = await served();
    const page = await signIn(browser, 'ada');
    await page.getByRole('heading', { name: 'Look at an account' }).waitFor();
    await page.getByText(/until .* GMT\+9/).waitFor();
    await check(page);
    await page.keyboard.type('STORE-2');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'eu-store-2', checked: true }).waitFor();
    await check(page);
    await page.keyboard.type('ticket 17');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${publicUrl}/**`);
    const [look] = await store.listSessions({ account: null, person: 'ada@platform.example' }, null, 2);
    assert.deepEqual([look?.account, look?.session.reason], ['eu-store-2', 'ticket 17']);

    await page.goto(`${url}/staff`);
    await page.getByRole('group', { name: 'Recent' }).getByRole('radio', { name: 'eu-store-2' }).waitFor();
    await check(page);
    const { account = 'eu-store-2', scopes = [] } = look ?? {};
    const long = { account, scopes, person: 'a'.repeat(128), reason: null, expiresInMs: 60_000, maker: null };
    const { stored } = makeSession(long, Date.now(), randomBytes);
    await store.createApiKey(stored, sessionCreated(stored, someStamp()));
    await page.getByRole('link', { name: 'Who looked' }).click();
    await page.getByLabel('Account', { exact: true }).fill('eu-store-2');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'ticket 17' }).waitFor();
    await check(page);
    await page.setViewportSize(WIDE);
    const columns = page.getByRole('region', { name: 'Sessions' });
    assert.ok(await columns.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await check(page);
    const left = (await page.context().cookies(url)).filter(({ name }) => name.startsWith('staff'));
    assert.deepEqual(
      left.map(({ name, value }) => [name, value]),
      [['staff-signed-out', '1']],
    );
    await page.context().close();
  },
);

browserTest(
  'staff without a role see what is missing, and staff see when the provider is down',
  async (browser) => {
    const { url, provider } = await served();
    const page = await signIn(browser, 'ben');
    await page.getByRole('heading', { name: 'You have no role here' }).waitFor();
    await page.getByText('One of these is needed: groups:support').waitFor();
    await check(page);
    await page.getByRole('link', { name: 'Sign in as somebody else' }).click();
    await page.getByLabel('Name').waitFor();
    const cookies = await page.context().cookies(url);
    const state = cookies.find(({ name }) => name.startsWith('staff-sign-in'))?.name.slice(-8);
    provider.isUp = false;
    try {
      await page.goto(`${url}/staff/callback?code=x&state=${state}`);
      await page.getByRole('heading', { name: 'Signing in is not possible at the moment' }).waitFor();
      await check(page);
    } finally {
      provider.isUp = true;
    }
    await page.context().close();
  },
);
