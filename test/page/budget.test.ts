import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';

/** Of the first list, and of what is loaded after it. */
const MAX_BYTES = { list: 60_000, chart: 8000, export: 13_000, spreadsheet: 30_000, webhooks: 14_000 };

const loadedBy = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, encodedBodySize, transferSize }) => ({ name, encodedBodySize, transferSize })),
  );

type Loaded = Awaited<ReturnType<typeof loadedBy>>;

const bytesOf = (loaded: Loaded) => loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);

pageTest(
  'the browser loads less than 60 kB to show the list, and a second visit loads none of the files again',
  async ({ page, enter, account, url }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await page.getByRole('listbox').waitFor();
    const loaded = await loadedBy(page);
    const later = (one: Loaded[number]) => /\/web\/chart\/|by=day|\/webhooks/.test(one.name);
    const first = loaded.filter((one) => !later(one));
    assert.ok(first.length > 10 && !first.some(({ encodedBodySize }) => encodedBodySize === 0));
    assert.ok(bytesOf(first) < MAX_BYTES.list, `${bytesOf(first)} bytes`);
    const chart = loaded.filter(later);
    assert.ok(chart.length > 3);
    assert.ok(bytesOf(chart) < MAX_BYTES.chart, `${bytesOf(chart)} bytes of the chart`);

    await page.getByRole('button', { name: 'Save as CSV' }).click();
    await page.getByText('Complete file saved').waitFor();
    const exported = (await loadedBy(page)).slice(loaded.length).filter((one) => one.name.includes('/page/'));
    assert.ok(exported.some((one) => one.name.includes('/web/export/')));
    assert.ok(bytesOf(exported) < MAX_BYTES.export, `${bytesOf(exported)} bytes of the export`);

    const before = (await loadedBy(page)).length;
    await page.getByRole('button', { name: 'Save as Excel' }).click();
    await page.getByRole('region', { name: 'Excel file' }).getByText('Complete file saved').waitFor();
    const spreadsheet = (await loadedBy(page)).slice(before).filter((one) => one.name.includes('/page/'));
    assert.ok(spreadsheet.some((one) => one.name.endsWith('/packages/fflate/browser.js')));
    assert.ok(bytesOf(spreadsheet) < MAX_BYTES.spreadsheet, `${bytesOf(spreadsheet)} bytes of spreadsheets`);

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhook endpoints yet').waitFor();
    const shown = (await loadedBy(page)).filter((one) =>
      /\/web\/.*(webhook|failures|retries)/.test(one.name),
    );
    assert.ok(shown.some((one) => one.name.endsWith('/webhooks.css')));
    assert.ok(bytesOf(shown) < MAX_BYTES.webhooks, `${bytesOf(shown)} bytes of the webhooks`);

    const second = await page.context().newPage();
    await second.goto(url);
    await waitForFirstRow(second, `${account}.${name(0)}`);
    const files = (await loadedBy(second)).filter(({ name }) => name.includes('/page/'));
    assert.ok(files.length > 10);
    assert.deepEqual(
      files.filter(({ transferSize }) => transferSize > 0),
      [],
    );
  },
  { transactions: pageTransactions, scopes: ['read', 'webhooks'] },
);
