import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { detailTest, waitForFirstRow } from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pressSave } from '../rig/page/saved-file.ts';

/** The most bytes of the script and the style sheet that load first. */
const MAX_BYTES = 66_000;

/** The page's files that the browser has loaded. Excludes the icon, which not every browser loads. */
const filesOf = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter((entry) => entry.name.includes('/page/') && !entry.name.endsWith('.svg'))
      .map(({ name: url, encodedBodySize, transferSize }) => ({
        name: url.split('/').at(-1),
        encodedBodySize,
        transferSize,
      })),
  );

detailTest(
  'the browser loads one script and one style sheet of less than 66 kB for the list and its CSV files, those of another screen and of a spreadsheet when they are used, and none on a second visit',
  async (window) => {
    const { page, account, url } = window;
    await openList(window);
    await page.getByRole('listbox').waitFor();
    await pressSave(page, 'Save as CSV');
    await page.getByText('Complete file saved').waitFor();
    const files = await filesOf(page);
    assert.deepEqual(files.map((file) => file.name).sort(), ['page.css', 'page.js']);
    assert.ok(files.every(({ encodedBodySize }) => encodedBodySize > 0));
    const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);

    await pressSave(page, 'Save as Excel');
    await page.getByRole('region', { name: 'Excel file' }).getByText('Complete file saved').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhook endpoints yet').waitFor();
    const later = (await filesOf(page)).slice(files.length).map((file) => file.name);
    assert.deepEqual(later.map((one) => one?.replace(/\.[\w-]{16}\./, '.')).sort(), [
      'spreadsheet.js',
      'webhooks.css',
      'webhooks.js',
    ]);
    await page.getByRole('link', { name: 'Transactions' }).first().click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhook endpoints yet').waitFor();
    assert.equal((await filesOf(page)).length, files.length + later.length, 'loaded once');

    const second = await page.context().newPage();
    await second.goto(url);
    await waitForFirstRow(second, `${account}.${name(0)}`);
    assert.deepEqual(
      (await filesOf(second)).map(({ transferSize }) => transferSize),
      [0, 0],
    );
  },
  { transactions: pageTransactions, scopes: ['read', 'webhooks'] },
);
