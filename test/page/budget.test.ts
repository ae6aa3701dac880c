import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';

const MAX_BYTES = 60_000;

const loadedBy = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, encodedBodySize, transferSize }) => ({ name, encodedBodySize, transferSize })),
  );

pageTest(
  'the browser loads less than 60 kB to show the list, and a second visit loads none of the files again',
  async ({ page, enter, account, url }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const first = await loadedBy(page);
    assert.ok(first.length > 10 && !first.some(({ encodedBodySize }) => encodedBodySize === 0));
    const total = first.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    assert.ok(total < MAX_BYTES, `${total} bytes`);

    const second = await page.context().newPage();
    await second.goto(url);
    await second.locator('#api-key').waitFor();
    const files = (await loadedBy(second)).filter(({ name }) => name.includes('/page/'));
    assert.ok(files.length > 10);
    assert.deepEqual(
      files.filter(({ transferSize }) => transferSize > 0),
      [],
    );
  },
  { transactions: pageTransactions },
);
