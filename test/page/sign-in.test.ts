import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { enterInto, eventually, pageTests } from '../rig/page/browser.ts';
import { name, pageTransactions } from '../rig/page/page-transactions.ts';
import { someEntry } from '../rig/store/audit.ts';
import { checkAccessibility } from './check-accessibility.ts';

const { test, it } = pageTests({ transactions: pageTransactions });
const keyField = 'input#api-key';

test('a key opens the transactions of its account, and is then nowhere in the page or its address', async (window) => {
  const { page, enter, key, account, requests } = window;
  await enter();
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  const contents = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      document.cookie,
      JSON.stringify(localStorage),
      JSON.stringify(history.state),
      ...[...document.querySelectorAll('input')].map((field) => field.value),
    ].join('\n'),
  );
  assert.ok(!contents.includes(key));
  assert.ok(requests.some((request) => request.includes('/v1/transactions')));
});

it('a refused key shows the error of the service, and the field is ready for another', async (window) => {
  const { page, url, key } = window;
  await page.goto(url);
  await checkAccessibility(page);
  await enterInto(page.locator(keyField), `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`);
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'The API key is not valid' }).waitFor();
  await alert.getByText('Check that it was sent whole').waitFor();
  await alert.getByText(/Request id client-/).waitFor();
  await eventually(() => alert.getByRole('link').getAttribute('href'), '/errors/invalid_api_key');
  await eventually(() => page.locator(':focus').getAttribute('id'), 'api-key');
  await page.getByRole('textbox', { description: /^The API key is not valid$/ }).waitFor();
  await checkAccessibility(page);
});

it('a text that cannot be a key is refused without a request', async ({ page, url, requests }) => {
  await page.goto(url);
  for (const text of ['', 'tk_live_\u00e9', 'two words']) {
    await enterInto(page.locator(keyField), text);
    await page.getByRole('alert').getByText('This is not an API key').waitFor();
  }
  assert.deepEqual(
    requests.filter((request) => request.includes('/v1/')),
    [],
  );
});

it('the key is hidden until the user shows it', async ({ page, url, key }) => {
  await page.goto(url);
  await page.locator(keyField).fill(key);
  await eventually(() => page.locator(keyField).getAttribute('type'), 'password');
  const show = page.getByRole('button', { name: 'Show the key' });
  await show.click();
  await eventually(() => page.locator(keyField).getAttribute('type'), 'text');
  await page.getByRole('button', { name: 'Hide the key' }).waitFor();
  await eventually(() => page.locator(keyField).inputValue(), key);
});

it('signing in serves a reload and all tabs of the browser but no other browser, and signing out ends it in all tabs', async (window) => {
  const { page, enter, another, url, account } = window;
  await enter();
  await page.reload();
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();

  const other = await another();
  await other.goto(url);
  await other.locator(keyField).waitFor();

  const tab = await page.context().newPage();
  await tab.goto(`${url}/#/transactions/${account}.${name(2)}`);
  await tab.getByRole('region', { name: 'Recorded by the service' }).waitFor();
  await tab.getByText(`Account ${account}`, { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  for (const signedOut of [page, tab]) {
    await signedOut.locator(keyField).waitFor();
    await eventually(() => signedOut.evaluate(() => sessionStorage.length), 0);
  }
  await tab.getByRole('heading', { name: 'You were signed out: Signed out in another tab' }).waitFor();
  await page.reload();
  await page.locator(keyField).waitFor();
});

/** The button may be gone, if the session has already ended. */
const turnPage = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLElement>('.pager button:last-child')?.click());

test('a revoked key ends the session with the reason, and the next key continues at the same address', async (window) => {
  const { page, enter, app, key, account } = window;
  await enter('#/transactions?status=completed');
  await page.getByRole('link', { name: `${account}.${name(2)}` }).waitFor();
  for (const one of await app.store.listApiKeys(account, null, 100))
    await app.store.revokeApiKey(one.id, app.clock.now(), someEntry());
  await app.keyCache.refresh();
  await turnPage(page);
  await page
    .getByRole('heading', { name: 'You were signed out: The API key was revoked or replaced' })
    .waitFor();
  await page.getByText(`The service accepted this key of the account ${account} until now.`).waitFor();
  await eventually(() => page.evaluate(() => sessionStorage.length), 0);
  assert.ok(!(await page.content()).includes(key));

  await enterInto(page.locator(keyField), await app.makeKey(account));
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  assert.match(page.url(), /status=completed/);
});

it('a sign-in that nobody uses for 12 hours ends, also in a browser that opens its tabs again', async (window) => {
  const { page, enter, account } = window;
  await enter();
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  const usedMs = await page.evaluate(() => Date.now());
  await page.clock.setFixedTime(usedMs + 11 * 3_600_000);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByRole('link', { name: `${account}.${name(0)}` }).click();
  await page.getByRole('region', { name: `Transaction ${account}.${name(0)}` }).waitFor();
  await page.clock.setFixedTime(usedMs + 22 * 3_600_000);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.reload();
  await page.getByRole('region', { name: `Transaction ${account}.${name(0)}` }).waitFor();
  await page.clock.setFixedTime(usedMs + 24 * 3_600_000);
  await page.reload();
  await page.locator(keyField).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('transactions.session')), null);
});

it('addresses name their account: a link of another account loads nothing, and the page says so', async (window) => {
  const { page, enter, url, key, account, requests } = window;
  await enter('#/transactions?currency=EUR');
  await page.getByRole('link', { name: `${account}.${name(0)}` }).waitFor();
  await eventually(
    () => new URL(page.url()).hash,
    `#/transactions?currency=EUR&account=${account}&timeZone=UTC`,
  );
  await page.getByRole('listbox', { name: /^Completed amount per/ }).waitFor();

  const before = requests.length;
  await page.evaluate(() => location.assign('#/transactions?currency=USD&account=acct-other'));
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'This link belongs to another account' }).waitFor();
  await alert.getByText(`signed in to account ${account}`).waitFor();
  assert.deepEqual(
    requests.slice(before).filter((request) => request.includes('/v1/')),
    [],
  );
  await alert.getByRole('button', { name: `Show the same for ${account}` }).click();
  await page.getByRole('link', { name: `${account}.${name(1)}` }).waitFor();
  await eventually(
    () => new URL(page.url()).hash,
    `#/transactions?currency=USD&account=${account}&timeZone=UTC`,
  );

  await page.evaluate(() => location.assign('#/transactions/t01?account=acct-other'));
  await alert.getByText('signed in to account').waitFor();
  await eventually(() => alert.getByRole('button').allInnerTexts(), ['Sign in to the other account']);

  await page.evaluate(() => location.assign('#/webhooks?account=acct-other'));
  await alert.getByRole('button', { name: /^Show the same/ }).waitFor();
  await alert.getByRole('button', { name: 'Sign in to the other account' }).click();
  await enterInto(page.locator(keyField), key);
  await alert.getByRole('heading', { name: 'This link belongs to another account' }).waitFor();
  assert.ok(page.url().startsWith(url));
});
