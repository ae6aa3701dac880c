import assert from 'node:assert/strict';
import { EXAMPLES } from '../../src/http/examples.ts';
import { detailTest, eventually, pageTests } from '../rig/page/browser.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { violationsOf } from './check-accessibility.ts';

const { it } = pageTests();

const PAGES = [
  '/guides',
  '/guides/using-the-api',
  '/guides/specification',
  '/docs',
  '/docs/listTransactions',
  '/errors',
  '/errors/cursor_expired',
];

for (const { name, width, colorScheme } of [
  { name: 'a wide screen', width: 1280, colorScheme: 'light' },
  { name: 'a phone in the dark', width: 390, colorScheme: 'dark' },
] as const)
  detailTest(
    `guides, reference and errors on ${name}: nothing is cut off, everything is accessible, and a link home is at the top`,
    async ({ page, url }) => {
      for (const path of PAGES) {
        await page.goto(url + path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path} is ${wide} pixels too wide`);
        await eventually(() => page.locator('.home').getAttribute('href'), '/');
        await eventually(
          () => page.locator('.pages').evaluate((one) => (one as HTMLDetailsElement).open),
          width > 900,
        );
        assert.deepEqual(await violationsOf(page), [], path);
      }
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(background, colorScheme === 'dark' ? 'rgb(14, 17, 22)' : 'rgb(245, 246, 248)');
    },
    { context: { viewport: { width, height: 844 }, colorScheme } },
  );

it('the search finds guides, errors and operations while a reader types, with only the keyboard', async (window) => {
  const { page, url } = window;
  await page.goto(`${url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('cursor exp');
  const found = page.locator('.found a');
  await page.locator('.found mark').getByText(/^exp$/i).first().waitFor();
  const addresses = await found.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.ok(addresses.includes('/errors/cursor_expired'), addresses.join(' '));
  assert.ok(addresses.some((address) => address?.startsWith('/guides/')));
  await page.keyboard.press('ArrowDown');
  const [first] = addresses;
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname, hash }) => pathname + hash === first);
  await page.keyboard.press('/');
  await page.keyboard.type('list transactions');
  await page.locator('.found a[href="/docs/listTransactions"]').click();
  await page.getByRole('heading', { name: 'List transactions', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('zzzz');
  await page.getByText('No page has any of these words. All pages are in the list of the guides.').waitFor();
  await page.locator('.found a[href="/guides"]').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('webhok');
  await page.locator('.found').getByRole('button', { name: 'webhook' }).click();
  await page.locator('.found a[href^="/guides/webhooks"]').first().waitFor();
  await eventually(() => page.getByRole('searchbox').inputValue(), 'webhook');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('zzzz');
  await page.keyboard.type(' cursor');
  await page.getByText('No page has all of these words.').waitFor();
  await found.first().waitFor();
});

it('a button copies a block of code, and the # of a heading copies its address', async ({ page, url }) => {
  await page.goto(`${url}/guides/using-the-api`);
  const block = page.locator('.code').first();
  await block.getByRole('button').click();
  await block.getByText('Copied').waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await eventually(copied, `curl -H "Authorization: Bearer $KEY" ${url}/v1/transactions`);
  await page.locator('#filters .anchor').click();
  await eventually(copied, `${url}/guides/using-the-api#filters`);
});

it('an operation can be tried with a key, which is in no address and is not stored', async (window) => {
  const { page, url, key, app, account } = window;
  await page.goto(`${url}/docs/listTransactions`);
  await page.getByText(`"${EXAMPLES.list.more.value.data[0]?.reference}"`).first().waitFor();
  const form = page.locator('form.try');
  await page.getByText('Try it').click();
  await form.getByLabel('API key').fill(key);
  await form.getByLabel('currency').fill('EUR');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(/HTTP 200 after \d+ ms: \/v1\/transactions\?currency=EUR/).waitFor();
  await form.getByText('"hasMore": false').waitFor();
  await form.getByLabel('currency').fill('none');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('"invalid_currency"').waitFor();
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  assert.ok(!stored.includes(key) && !page.url().includes(key));
  await form.getByLabel('currency').fill('');
  await form.getByLabel('status').selectOption('completed');
  await form.getByLabel('from', { exact: true }).fill('2026-03-01');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('/v1/transactions?status=completed&from=2026-03-01').waitFor();
  await form.getByLabel(/Keep the key/).check();
  await page.goto(`${url}/docs/readTotals`);
  await eventually(() => form.getByLabel('API key').inputValue(), key);
  await form.getByLabel(/Keep the key/).uncheck();
  await page.goto(`${url}/docs/createWebhook`);
  await page.getByText('Try it').click();
  const hook = { url: 'https://shop.example/hooks' };
  await page.getByLabel('API key').fill(await app.makeKey(account, { scopes: ['webhooks'] }));
  await page.getByLabel('Body').fill(JSON.stringify(hook));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('HTTP 201').waitFor();
});

it('commands in several forms are shown one form at a time, and the next page shows the chosen form', async (window) => {
  const { page, url, app } = window;
  const { server } = await buildTestOperatorApp(app.store, app.clock);
  const { payload, headers } = await server.inject('/guides/backup');
  await page.route(`${url}/guides/backup`, (route) =>
    route.fulfill({
      body: payload,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': String(headers['content-security-policy']) },
    }),
  );
  await page.goto(`${url}/guides/backup`);
  const forms = page.locator('.forms').first();
  await forms.getByText('cp backup.db data/transactions.db').waitFor();
  const container = forms.getByRole('button', { name: 'Container' });
  await container.click();
  await forms.getByText('docker stop transactions').waitFor();
  await eventually(() => forms.getByText('cp backup.db data/transactions.db').isVisible(), false);
  await page.reload();
  await eventually(() => container.getAttribute('aria-pressed'), 'true');
  await eventually(() => forms.locator('pre:visible').count(), 1);
  assert.deepEqual(await violationsOf(page), []);
});
