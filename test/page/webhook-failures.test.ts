import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  chooseZone,
  detailTest,
  eventually,
  type PageWindow,
  pageTests,
  rowsOf,
} from '../rig/page/browser.ts';
import { name, pageTransactions } from '../rig/page/page-transactions.ts';
import { pageFailures, storeWebhook } from '../rig/page/page-webhooks.ts';
import { someEntry } from '../rig/store/audit.ts';
import { progress } from '../rig/webhooks/webhooks.ts';
import { checkAccessibility, checkNames, checkTable, checkWidths, tabTo } from './check-accessibility.ts';

const both = { scopes: ['read', 'webhooks'], transactions: pageTransactions } as const;
const { test, it } = pageTests(both);

const endpoint = (page: Page) => page.getByRole('region', { name: 'Shop', exact: true });

async function openFailures(window: PageWindow, count: number): Promise<string> {
  const { page, enter } = window;
  const id = await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 25 }, pageFailures(count));
  await enter('#/webhooks');
  await page.getByRole('button', { name: new RegExp(`^Show ${count} failure`) }).click();
  await endpoint(page).getByRole('table').locator('.failure-order').first().waitFor();
  return id;
}

const failuresOf = (page: Page) => rowsOf(page, 'Failures of Shop');

const nextAttempts = async (window: PageWindow, id: string) => {
  const stored = await window.app.store.listWebhookFailures(window.account, id, 0, 100);
  return new Map(stored.map(({ sequence, nextAttemptAtMs }) => [sequence, nextAttemptAtMs]));
};

test('failures are listed with their order and amount, error, attempts and times, twenty to a page', async (window) => {
  const { page } = window;
  await openFailures(window, 45);
  const rows = await failuresOf(page);
  assert.equal(rows.length, 20);
  assert.deepEqual(rows[0], [
    `${window.account}.${name(0)} 12.50 EUR Pending Change 1`,
    'The receiver answered 500',
    '1',
    '14 Jun, 22:30',
    '15 Jun, 07:12',
    '15 Jun, 12:30',
    'Retry change 1',
  ]);
  assert.deepEqual(rows[9]?.slice(1, 6), [
    'The receiver did not answer within 15 s',
    '10',
    '14 Jun, 22:30',
    '15 Jun, 07:12',
    'None: retry it',
  ]);
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await next.click();
  await page.getByText('Page 2: 20 failures').waitFor();
  await next.click();
  await page.getByText('Page 3, the last: 5 failures').waitFor();
  await eventually(async () => (await failuresOf(page))[0]?.[0], 'Change 41');
  await eventually(() => next.getAttribute('aria-disabled'), 'true');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByText('Page 2: 20 failures').waitFor();
  await page.getByRole('button', { name: 'First', exact: true }).click();
  await page.getByText('Page 1: 20 failures').waitFor();
  await eventually(async () => (await failuresOf(page))[0]?.[0]?.endsWith('Pending Change 1'), true);
  await page.getByRole('button', { name: 'Hide the failures of Shop' }).click();
  await eventually(() => page.getByRole('table').count(), 0);
});

it('a retry makes the failure due, the page says so, and the result is shown when the user asks for it', async (window) => {
  const { page, app, account, requests } = window;
  const id = await openFailures(window, 3);
  const before = requests.length;
  await page.getByRole('button', { name: 'Retry change 2' }).click();
  await page.getByText('1 change will be sent again within seconds.').waitFor();
  await eventually(async () => (await failuresOf(page))[1]?.slice(5), ['Now', 'Requested change 2']);
  assert.equal(requests.length, before + 1, 'the page loaded more than the retry');
  const due = await nextAttempts(window, id);
  assert.equal(due.get(2), app.clock.now());
  assert.notEqual(due.get(1), app.clock.now());

  await page.getByRole('button', { name: 'Requested change 2' }).press('Enter');
  assert.equal(requests.length, before + 1, 'a retry was requested twice');
  await app.store.storeProgress(account, id, 2, progress(25, { after: 25, delivered: [2] }));
  await page.getByRole('button', { name: 'Load the endpoint again' }).click();
  await page.getByText('2 failures, oldest change first').waitFor();
  await eventually(
    async () => (await failuresOf(page)).map(([change]) => change?.slice(-8)),
    ['Change 1', 'Change 3'],
  );
});

it('all failures of a page are retried one after another; one that was delivered meanwhile is no error', async (window) => {
  const { page, app, account, requests } = window;
  const id = await openFailures(window, 25);
  await app.store.storeProgress(account, id, 1, progress(25, { after: 25, delivered: [4] }));
  const before = requests.length;
  await page.getByRole('button', { name: 'Retry all 20 shown' }).click();
  await page.getByText('19 changes will be sent again within seconds.').waitFor();
  assert.equal(requests.length, before + 20);
  const rows = await failuresOf(page);
  assert.deepEqual(rows[3]?.slice(5), ['None: already delivered', 'Delivered change 4']);
  assert.deepEqual(rows[19]?.slice(5), ['Now', 'Requested change 20']);
  const due = [...(await nextAttempts(window, id))].filter(([, atMs]) => atMs === app.clock.now());
  assert.equal(due.length, 19);
  const all = page.getByRole('button', { name: /^Retry all/ });
  await eventually(() => all.getAttribute('aria-disabled'), 'true');
});

it('a retry that the service refuses stops the others, and can be repeated', async (window) => {
  const { page } = window;
  await openFailures(window, 3);
  await page.route('**/failures/2/retry', (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByRole('button', { name: 'Retry all 3 shown' }).click();
  await endpoint(page).getByText('HTTP 503.').waitFor();
  await page.getByText('1 change will be sent again').waitFor();
  await eventually(
    async () => (await failuresOf(page)).map((row) => row[6]),
    ['Requested change 1', 'Retry change 2', 'Retry change 3'],
  );
  await page.unroute('**/failures/2/retry');
  await page.getByRole('button', { name: 'Retry all 2 shown' }).click();
  await page.getByText('3 changes will be sent again').waitFor();
  await eventually(() => endpoint(page).getByText('HTTP 503').count(), 0);
});

it('the failures of a disabled endpoint are listed, and retried only after it is enabled', async (window) => {
  const { page, enter } = window;
  const disabled = { reason: 'gone', atMs: Date.UTC(2026, 5, 15) } as const;
  const id = await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 25 }, pageFailures(1));
  await window.app.store.disableWebhook(window.account, id, 1, disabled, someEntry());
  await enter('#/webhooks');
  await page.getByRole('button', { name: 'Show 1 failure of Shop' }).click();
  await page.getByText('Enable the endpoint to retry them.').waitFor();
  await eventually(async () => (await failuresOf(page))[0]?.slice(5), ['Not while disabled']);
  await page.getByRole('button', { name: 'Enable again (Shop)' }).click();
  await page.getByRole('button', { name: 'Retry change 1' }).waitFor();
});

const LONGEST_URL = `https://${'w'.repeat(60)}.example/${'W'.repeat(1970)}`;

async function openEndpoints(window: PageWindow): Promise<void> {
  const { page, enter } = window;
  const failingSinceMs = Date.UTC(2026, 5, 14, 22, 30);
  const types = ['transaction.pending', 'transaction.completed'];
  const fields = { label: 'L'.repeat(100), url: LONGEST_URL, types, ordered: true, failingSinceMs };
  await storeWebhook(window, { ...fields, acknowledgedSequence: 21 }, [
    ...pageFailures(21),
    ...pageFailures(1, 22).map((one) => ({ ...one, error: 'E'.repeat(200) })),
  ]);
  await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 25 });
  const atMs = Date.UTC(2026, 5, 10, 4);
  for (const reason of ['failing', 'gone', 'requested'] as const)
    await storeWebhook(window, { label: reason, disabled: { reason, atMs } });
  await enter('#/webhooks');
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
}

detailTest(
  'the longest values of endpoints and failures fit at any width; failures are a table, and each button has a different name',
  async (window) => {
    const { page, app } = window;
    await openEndpoints(window);
    await checkAccessibility(page);
    app.receivers.answer = async () => ({ error: 'E'.repeat(200) });
    await page.getByRole('button', { name: 'Send a test to Shop' }).click();
    await page.getByText('Not delivered: EEE').waitFor();
    await page.getByRole('button', { name: /^Show 22 failures/ }).click();
    await checkTable(page, page.getByRole('table', { name: /^Failures of/ }), 7);
    await checkNames(page.locator('main button'));
    await page.getByRole('button', { name: 'Retry change 1', exact: true }).click();
    await page.getByText('1 change will be sent again').waitFor();
    await checkAccessibility(page);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('cell', { name: 'E'.repeat(200) }).waitFor();
    await chooseZone(page, /^This device/);
    await checkWidths(page);
  },
  { ...both, context: { timezoneId: 'America/Argentina/ComodRivadavia' } },
);

it('the webhooks are opened, a test is sent, and a failure is retried with only the keyboard', async (window) => {
  const { page, enter, app } = window;
  const { keyboard } = page;
  await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 25 }, pageFailures(2));
  await enter();
  await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor();
  const focused = () => page.locator(':focus').evaluate((one) => one.textContent);
  await tabTo(page, 'Webhooks');
  await keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: 'Webhooks' });
  await heading.and(page.locator(':focus')).waitFor();
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
  await page.locator('#announcements').getByText('1 endpoint loaded').waitFor({ state: 'attached' });
  const before = app.receivers.sent.length;
  await tabTo(page, 'Send a test to Shop');
  await keyboard.press('Space');
  await page.getByText('Delivered: the receiver answered 204').waitFor();
  await eventually(() => focused(), 'Send a test to Shop', 'the focus is lost with the test');
  await keyboard.press('Shift+Tab');
  await eventually(() => page.locator(':focus').getAttribute('aria-expanded'), 'false');
  await keyboard.press('Enter');
  await page.getByRole('table', { name: 'Failures of Shop' }).waitFor();
  await eventually(() => page.locator(':focus').getAttribute('aria-expanded'), 'true');
  await tabTo(page, 'Retry change 2');
  await keyboard.press('Enter');
  await page.getByText('1 change will be sent again').waitFor();
  await eventually(() => focused(), 'Requested change 2', 'the focus is lost with the retry');
  assert.equal(app.receivers.sent.length, before + 1);
});
