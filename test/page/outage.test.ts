import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';
import { readSpreadsheet } from '../rig/spreadsheet.ts';

interface Outage {
  title: string;
  begin(page: Page): Promise<unknown>;
  end(page: Page): Promise<void>;
}

const OUTAGES: Readonly<Record<string, Outage>> = {
  'the service is down': {
    title: 'The service cannot be reached',
    begin: (page) => page.route(/^http/, (route) => route.abort('connectionrefused')),
    end: (page) => page.unroute(/^http/),
  },
  'the device is offline': {
    title: 'This device is offline',
    begin: (page) => page.context().setOffline(true),
    end: (page) => page.context().setOffline(false),
  },
};

for (const [state, { title, begin, end }] of Object.entries(OUTAGES))
  pageTest(
    `while ${state}, every button says the same, also one whose code is not loaded yet`,
    async ({ page, enter, account }) => {
      await enter();
      await waitForFirstRow(page, `${account}.${name(0)}`);
      await page.getByRole('listbox').waitFor();
      await begin(page);
      const shown = page.getByRole('heading', { name: title });
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await shown.waitFor();
      const panel = await page.locator('.content > .panel').boundingBox();
      const heading = await page.getByRole('heading', { name: 'Transactions', exact: true }).boundingBox();
      assert.ok(panel !== null && heading !== null && heading.y - panel.y - panel.height >= 16);

      await page.getByRole('button', { name: 'Older' }).click();
      await page.waitForFunction(
        (text) => [...document.querySelectorAll('h2')].filter((one) => one.textContent === text).length === 2,
        title,
      );
      await page.getByRole('searchbox').fill('order-104');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/search/);
      await shown.waitFor();
      assert.equal(await page.getByText('A part of the page').count(), 0);

      await end(page);
      await page.getByRole('heading', { name: `Transaction ${account}.${name(4)}` }).waitFor();
    },
    { transactions: pageTransactions },
  );

pageTest(
  'a spreadsheet whose code cannot be loaded in an outage says that the service cannot be reached, and starts again',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    await page.getByText('Complete file saved').waitFor();
    const { title, begin, end } = OUTAGES['the service is down'] as Outage;
    await begin(page);
    await page.getByRole('button', { name: 'Save as Excel' }).click();
    await page.getByRole('alert').getByText(`Nothing was saved: ${title}`).waitFor();
    await end(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Start again' }).click(),
    ]);
    assert.equal(readSpreadsheet(readFileSync(await download.path()))[0]?.rows.length, 26);
  },
  { transactions: pageTransactions },
);
