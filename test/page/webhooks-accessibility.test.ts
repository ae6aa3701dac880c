import assert from 'node:assert/strict';
import { chooseZone, detailTest, eventually, type PageWindow, pageTests } from '../rig/page/browser.ts';
import { pageTransactions } from '../rig/page/page-transactions.ts';
import { pageFailures, storeWebhook } from '../rig/page/page-webhooks.ts';
import { checkAccessibility, checkNames, checkTable, checkWidths, tabTo } from './check-accessibility.ts';

const both = { scopes: ['read', 'webhooks'], transactions: pageTransactions } as const;
const { it } = pageTests(both);
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
