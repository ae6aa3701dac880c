import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readSpreadsheet } from '../rig/data/spreadsheet.ts';
import {
  choose,
  detailTest,
  enterInto,
  eventually,
  openDays,
  pageTests,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pressSave, savedFile } from '../rig/page/saved-file.ts';
import { someInTier } from '../rig/run/tier.ts';

const OUTAGES = {
  'the service is down': {
    title: 'The service cannot be reached',
    begin: (page: Page): Promise<unknown> => page.route(/^http/, (route) => route.abort('connectionrefused')),
    end: (page: Page) => page.unroute(/^http/),
  },
  'the device is offline': {
    title: 'This device is offline',
    begin: (page: Page) => page.context().setOffline(true),
    end: (page: Page) => page.context().setOffline(false),
  },
};

const FIGURES = '.transactions tbody tr, .totals-table tbody tr, .chart-bars, .pending-ages, .pager-count';

const { test, it } = pageTests({ transactions: pageTransactions });

test('while the service does not answer, no figure of the previous filters is shown, nothing is marked live, and the screen says what is loading', async (window) => {
  const { page, account } = window;
  await openList(window, '#/transactions?currency=USD', 1);
  await page.getByRole('listbox').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const answers = Promise.withResolvers<void>();
  const hang = async (url: RegExp, until: Promise<void>) =>
    page.route(url, async (route) => {
      await until;
      await route.continue();
    });
  await hang(/v1\/(transactions|totals)/, answers.promise);
  await (await openDays(page)).getByRole('button', { name: 'Last 90 days' }).click();
  await page.getByRole('button', { name: 'Remove the filter 18 Mar\u2009\u2013\u200915 Jun 2026' }).waitFor();
  assert.equal(await page.locator(FIGURES).count(), 0);
  assert.equal(await page.getByText('Live', { exact: true }).count(), 0);
  const totals = page.getByRole('region', { name: 'Totals' });
  await totals.getByText('Created 18 Mar 2026 to 15 Jun 2026, so far', { exact: true }).waitFor();
  await totals.getByText('Loading\u2026', { exact: true }).waitFor();
  await page.getByText('Loading page 1\u2026', { exact: true }).waitFor();
  answers.resolve();
  await waitForFirstRow(page, `${account}.${name(1)}`);
  await page.getByRole('listbox').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  const bars = Promise.withResolvers<void>();
  await hang(/by=day/, bars.promise);
  await choose(page, /^Comparison:/, 'None');
  await page.locator('.chart-bars').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.totals-table').count(), 1);
  bars.resolve();
  await page.getByRole('listbox').waitFor();
});

it('a list or a transaction that has not arrived after five seconds says so, until it arrives', async (window) => {
  const { page, account } = window;
  await openList(window);
  const answers = Promise.withResolvers<void>();
  await page.route(/v1\/transactions/, async (route) => {
    await answers.promise;
    await route.continue();
  });
  const noteIn = (part: string) =>
    page.locator(part).getByText('The service has not answered yet. The page is still waiting.');
  await (await openDays(page)).getByRole('button', { name: 'Last 90 days' }).click();
  await noteIn('main').waitFor();
  await page.getByRole('link', { name: 'Transactions', exact: true }).click();
  await page.evaluate(
    (reference) => {
      location.hash = `#/transactions/${reference}`;
    },
    `${account}.${name(0)}`,
  );
  await page.getByRole('heading', { name: `Transaction ${account}.${name(0)}` }).waitFor();
  await noteIn('aside').waitFor();
  answers.resolve();
  await page.getByText('Recorded by the service').waitFor();
  for (const part of ['main', 'aside']) await noteIn(part).waitFor({ state: 'hidden' });
});

for (const [state, { title, begin, end }] of someInTier(Object.entries(OUTAGES), 1)) {
  detailTest(
    `while ${state}, every screen says so, and each continues by itself without a reload`,
    async (window) => {
      const { page, account } = window;
      await openList(window);
      await page.getByRole('listbox').waitFor();
      await begin(page);
      const shown = page.getByRole('heading', { name: title });
      await page.getByRole('button', { name: 'Older' }).click();
      await shown.waitFor();
      await (await openDays(page)).getByRole('button', { name: 'Last 90 days' }).click();
      await shown.waitFor();
      await eventually(() => page.getByText(title).count(), 1, 'one outage is said once');
      assert.equal(await page.getByText('Request id').count(), 0, 'no request arrived');
      for (const screen of [/^To look at/, /^Bank file/, /^Webhooks/]) {
        await page.getByRole('link', { name: screen }).click();
        await shown.waitFor();
        await page.getByRole('button', { name: 'Try again' }).waitFor();
        await page.locator('#main h1').waitFor();
      }
      await enterInto(page.getByRole('searchbox'), 'order-104');
      await page.waitForURL(/#\/search/);
      await shown.waitFor();

      await end(page);
      await page.getByRole('region', { name: `Transaction ${account}.${name(4)}` }).waitFor();
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByText('No webhook endpoints yet').waitFor();
      await page.getByRole('link', { name: 'Bank file' }).click();
      await page.getByText('Choose a file', { exact: true }).waitFor();

      await begin(page);
      const buffer = Buffer.from('Tag;Text;Wert\n15.06.2026;order-101;13,49\n');
      await page.locator('.drop-input').setInputFiles({ name: 'bank.csv', mimeType: 'text/csv', buffer });
      await shown.waitFor();
      await end(page);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'What the columns are' }).waitFor();
    },
    { transactions: pageTransactions, scopes: ['read', 'webhooks'] },
  );

  it(`while ${state}, requested files wait, and are saved when the outage is over`, async (window) => {
    const { page } = window;
    await openList(window);
    // In the first round, the panel's script is not loaded yet. The page shows `title` instead of the panel.
    for (const [button, format, said] of [
      ['Save as CSV', 'CSV file', title],
      ['Save as Excel', 'Excel file', 'waiting for the service'],
    ] as const) {
      await begin(page);
      await pressSave(page, button);
      const region = page.getByRole('region', { name: format });
      await page.getByText(said, { exact: true }).first().waitFor();
      const { bytes } = await savedFile(page, () => end(page));
      await region.getByText('Complete file saved').waitFor();
      const rows =
        format === 'CSV file'
          ? bytes.toString().split('\r\n').length - 1
          : readSpreadsheet(bytes)[0]?.rows.length;
      assert.equal(rows, 26);
    }
  });
}
