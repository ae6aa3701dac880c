import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  detailTest,
  enterInto,
  eventually,
  fragmentOf,
  pageTests,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pageFailures, storeWebhook } from '../rig/page/page-webhooks.ts';
import { someEntry } from '../rig/store/audit.ts';
import { checkAccessibility } from './check-accessibility.ts';

const both = { scopes: ['read', 'webhooks'], transactions: pageTransactions } as const;
const { test, it } = pageTests(both);
const HOUR_MS = 3_600_000;

const endpoint = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const link = (page: Page) => page.getByRole('link', { name: 'Webhooks', exact: true });

async function fieldsOf(page: Page, name: string): Promise<Record<string, string>> {
  const fields = await endpoint(page, name).locator('.endpoint-field').all();
  const texts = fields.map(async (field) => {
    const [term, value] = await Promise.all([
      field.locator('dt').innerText(),
      field.locator('dd').innerText(),
    ]);
    return [term, value.replaceAll(/\s+/g, ' ').trim()] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

test('the link says how many endpoints fail, even after the list is refreshed, and leads to advice', async (window) => {
  const { page, app, account } = window;
  const failingSinceMs = app.clock.now() - HOUR_MS;
  await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 25 });
  const failing = await storeWebhook(window, { label: 'Ledger', acknowledgedSequence: 24, failingSinceMs });
  await openList(window);
  await page.getByRole('link', { name: 'Webhooks 1 fails', exact: true }).waitFor();
  await app.store.deleteWebhook(account, failing, someEntry());
  await page.getByRole('button', { name: 'Newest' }).click();
  await link(page).waitFor();
  await storeWebhook(window, { label: 'Ledger', acknowledgedSequence: 24, failingSinceMs });
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByRole('link', { name: 'Webhooks 1 fails', exact: true }).click();
  await endpoint(page, 'Ledger')
    .getByText('to repair it. The service keeps trying with one change')
    .waitFor();
  await link(page).waitFor();
});

detailTest(
  'a key without the scope webhooks gets no link, and its address says which scope is missing and who gives it',
  async (window) => {
    const { page, account } = window;
    await openList(window);
    await eventually(() => link(page).count(), 0);
    await page.evaluate(() => location.assign('#/webhooks'));
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'This key cannot show webhooks' }).waitFor();
    await alert.getByText(/has no access to webhooks.*Ask the operator of the service/).waitFor();
    await alert.getByRole('link', { name: 'What this means' }).waitFor();
    await checkAccessibility(page);
    await alert.getByRole('link', { name: 'All transactions' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await eventually(() => link(page).count(), 0);
  },
  { transactions: pageTransactions },
);

it('what the page knows about a key is forgotten at sign-out', async ({ page, enter, app, account }) => {
  await enter();
  await link(page).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await eventually(() => link(page).count(), 0);
  await enterInto(page.getByLabel('API key', { exact: true }), await app.makeKey(account));
  await waitForFirstRow(page, `${account}.${name(0)}`);
  await eventually(() => link(page).count(), 0);
});

detailTest(
  'a key with webhooks but without read has a screen that says what it can do, and sees its endpoints with their lag',
  async (window) => {
    const { page, enter } = window;
    await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 20 });
    await enter();
    await endpoint(page, 'Shop').waitFor();
    await eventually(() => fragmentOf(page), '#/webhooks');
    await page.goto(`${page.url().split('#')[0]}#/transactions?currency=USD`);
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'This key cannot show transactions' }).waitFor();
    await alert
      .getByText(
        /does not allow reading transactions.*Ask the operator of the service for a key with the scope read/,
      )
      .waitFor();
    await alert.getByText(/You can send tests, retry failures, and enable endpoints again/).waitFor();
    await eventually(() => page.getByRole('search').count(), 1);
    await checkAccessibility(page);
    await alert.getByRole('link', { name: 'Show the webhooks' }).click();
    await endpoint(page, 'Shop').waitFor();
    await eventually(async () => (await fieldsOf(page, 'Shop'))['Reached'], 'Change 20 5 changes behind');
    await page.goBack();
    await alert.getByRole('heading', { name: 'This key cannot show transactions' }).waitFor();
  },
  { ...both, scopes: ['webhooks'] },
);

test('each endpoint has its name, its URL, the types that it gets, its progress, and advice in words', async (window) => {
  const { page, enter } = window;
  const url = `https://partner.example/tenants/${'a1b2'.repeat(30)}/receive?region=eu`;
  await storeWebhook(window, { label: 'Shop', acknowledgedSequence: 25 });
  await storeWebhook(
    window,
    {
      url,
      types: ['transaction.completed', 'transaction.pending'],
      ordered: true,
      secret: `whsk_${Buffer.alloc(32, 7).toString('base64')}`,
      acknowledgedSequence: 8,
      failingSinceMs: Date.UTC(2026, 5, 14, 22, 30),
    },
    pageFailures(1, 9),
  );
  const disabledAt = Date.UTC(2026, 5, 10, 4);
  await storeWebhook(window, { label: 'full', acknowledgedSequence: 25 }, pageFailures(1000));
  for (const reason of ['failing', 'gone', 'requested'] as const)
    await storeWebhook(window, { label: reason, disabled: { reason, atMs: disabledAt } });
  await enter('#/webhooks');
  await endpoint(page, 'Shop').waitFor();
  await eventually(
    () => page.getByRole('heading', { level: 2 }).allInnerTexts(),
    ['Shop', 'partner.example', 'full', 'failing', 'gone', 'requested'],
  );
  const shop = await fieldsOf(page, 'Shop');
  assert.equal(shop['Reached'], 'Change 25 Up to date');
  assert.equal(shop['Failures'], 'None');
  assert.equal(shop['Delivers'], 'All changes');
  assert.equal(shop['Signed'], 'With a secret (v1) The receiver has the same secret');
  const partner = await fieldsOf(page, 'partner.example');
  assert.equal(partner['Reached'], 'Change 8 17 changes behind');
  assert.equal(partner['Failures'], '1 change Not delivered');
  assert.equal(partner['Delivers'], 'Completed, Pending No other changes');
  assert.equal(partner['Order'], 'Kept One that fails delays all later ones');
  assert.match(partner['Signed'] ?? '', /^With a secret key of the service \(v1a\) whpk_[A-Za-z\d+/]{43}=/);

  const shown = endpoint(page, 'partner.example').locator('.url-cut');
  assert.match(await shown.innerText(), /^https:\/\/partner\.example\/.+\u2026.*\/receive\?region=eu$/);
  await eventually(() => shown.getAttribute('title'), url);
  const advice = (of: string) => endpoint(page, of).locator('.endpoint-advice').innerText();
  await eventually(() => endpoint(page, 'Shop').locator('.endpoint-advice').count(), 0);
  assert.match(
    await advice('partner.example'),
    /^Every attempt has failed since 14 Jun, 22:30\. Tell the developer of partner\.example to repair it\..*none passes/s,
  );
  assert.match(await advice('full'), /^The endpoint has 1,000 failures.*retry the failures\.$/s);
  assert.match(await advice('failing'), /failed for five days.*10 Jun, 04:00.*send a test and enable/s);
  assert.match(await advice('gone'), /^The receiver answered 410 Gone.*delete the endpoint through the API/s);
  assert.match(await advice('requested'), /^Disabled by a request to the API.*nothing is lost\.$/is);
  await eventually(
    async () => (await fieldsOf(page, 'gone'))['Reached'],
    'Before the first change 25 changes waiting',
  );
});

it('a test shows what the receiver answered, and one that could not be sent shows the error of the service', async (window) => {
  const { page, enter, app } = window;
  await storeWebhook(window, { label: 'Shop' });
  await enter('#/webhooks');
  const send = page.getByRole('button', { name: 'Send a test to Shop' });
  const answering = Promise.withResolvers<void>();
  app.receivers.answer = async () => {
    await answering.promise;
    return { status: 204, retryAfterMs: null };
  };
  await send.click();
  const result = endpoint(page, 'Shop').getByRole('status');
  await result.getByText('Waiting for the receiver, at most 15 seconds').waitFor();
  await eventually(() => send.getAttribute('aria-disabled'), 'true');
  answering.resolve();
  await result.getByText('Delivered: the receiver answered 204 after 0 ms.').waitFor();

  app.receivers.answer = async () => ({ error: 'the name of the host does not exist' });
  await send.click();
  await result.getByText('Not delivered: the name of the host does not exist (after 0 ms).').waitFor();
  await page.route('**/test', (route) => route.fulfill({ status: 503, body: '' }));
  await send.click();
  await result.getByText('The test was not sent: HTTP 503').waitFor();
  await result.getByText(/Request id client-/).waitFor();
});

it('a disabled endpoint is enabled again, and nothing else is requested', async (window) => {
  const { page, enter, app, account, requests } = window;
  const id = await storeWebhook(window, {
    label: 'Shop',
    acknowledgedSequence: 8,
    disabled: { reason: 'failing', atMs: app.clock.now() - HOUR_MS },
  });
  await enter('#/webhooks');
  const shop = endpoint(page, 'Shop');
  await shop.getByText('17 changes waiting').waitFor();
  const before = requests.length;
  await shop.getByRole('button', { name: 'Enable again' }).click();
  await shop.getByText('Enabled. Deliveries continue after change 8.').waitFor();
  await shop.getByText('17 changes behind').waitFor();
  await eventually(() => shop.getByRole('button', { name: 'Enable again' }).count(), 0);
  await eventually(() => shop.locator('.endpoint-advice').count(), 0);
  assert.deepEqual(
    requests.slice(before).map((request) => request.replace(/http:\/\/[^/]+/, '')),
    [`PATCH /v1/webhooks/${id}`],
  );
  assert.equal((await app.store.findWebhook(account, id))?.disabled, null);
  await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
});
