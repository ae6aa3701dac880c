import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Download, Page } from 'playwright-core';
import { pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';
import { DAY, transaction } from '../rig/transactions.ts';

const LIST = '**/v1/transactions*';
const withTransactions = { transactions: pageTransactions };
const namesOf = (account: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${account}.${name(index)}`);

async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await textOf(download) };
}

const textOf = async (download: Download) => readFileSync(await download.path(), 'utf8');
const rowsOfFile = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, relax_column_count: false });

/** Delays every list after the first `free` ones until the returned function is called. */
async function delayLists(page: Page, free: number): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let lists = 0;
  await page.route(LIST, async (route) => {
    if (lists++ >= free) await promise;
    await route.continue().catch(() => {});
  });
  return resolve;
}

pageTest(
  'a file has every transaction of its filter, exact, and says that it is complete',
  async ({ page, enter, account }) => {
    await enter('#/transactions?status=completed');
    await waitForFirstRow(page, `${account}.${name(2)}`);
    const file = await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    assert.equal(file.name, 'transactions_completed.csv');
    const rows = rowsOfFile(file.text);
    assert.deepEqual(
      rows.map((row) => row['reference']),
      namesOf(account, 25).filter((_, index) => index > 1 && index !== 14),
    );
    assert.deepEqual(rows[1], {
      reference: `${account}.${name(3)}`,
      merchantReference: 'order-103',
      status: 'completed',
      amount: '123456789012.34',
      currencyCode: 'EUR',
      paidAt: '2026-06-14T14:30:50.123Z',
      createdAt: '2026-06-14T14:30:05.123Z',
    });
    await page.getByText('Complete file saved').waitFor();
    await page.getByText('22 transactions in').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.getByRole('region', { name: 'CSV file' }).count(), 0);
  },
  withTransactions,
);

pageTest(
  'a file can cover more days than a list, without a lost or repeated transaction',
  async ({ page, enter, account }) => {
    await enter('#/transactions?from=2025-06-01&to=2026-06-15');
    const file = await saved(page, () =>
      page.getByRole('button', { name: 'Save the whole range as CSV' }).click(),
    );
    assert.equal(file.name, 'transactions_2025-06-01_to_2026-06-15.csv');
    assert.deepEqual(
      rowsOfFile(file.text).map((row) => row['reference']),
      Array.from({ length: 76 }, (_, index) => `${account}.d${String(75 - index).padStart(2, '0')}`),
    );
  },
  {
    // One every five days, at the start and the end of days in turn.
    transactions: (account) =>
      Array.from({ length: 76 }, (_, index) =>
        transaction(account, `d${String(index).padStart(2, '0')}`, {
          createdAtMs: DAY('2025-06-01') + index * 5 * 86_400_000 + (index % 2) * 86_399_999,
        }),
      ),
  },
);

pageTest(
  'an export shows its progress, can be cancelled, and then saves a file that is marked incomplete',
  async ({ page, enter, account }) => {
    await enter('#/transactions?from=2026-06-01');
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const release = await delayLists(page, 1);
    const button = page.getByRole('button', { name: 'Save as CSV' });
    await button.click();
    const region = page.getByRole('region', { name: 'CSV file' });
    await region.getByText('From 2026-06-01: 10 transactions so far, back to 2026-06-13').waitFor();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    const share = Number(await region.getByRole('progressbar').getAttribute('value'));
    assert.ok(share > 0 && share < 1, `${share}`);

    let downloads = 0;
    page.on('download', () => downloads++);
    await region.getByRole('button', { name: 'Cancel' }).click();
    await region.getByText('Cancelled: nothing was saved').waitFor();
    assert.equal(downloads, 0);
    release();
    const file = await saved(page, () =>
      region.getByRole('button', { name: 'Save an incomplete file' }).click(),
    );
    assert.equal(file.name, 'transactions_from_2026-06-01_INCOMPLETE.csv');
    const rows = rowsOfFile(file.text);
    assert.deepEqual(
      rows.slice(0, -1).map((row) => row['reference']),
      namesOf(account, 10),
    );
    assert.equal(
      rows.at(-1)?.['reference'],
      'INCOMPLETE: 10 transactions back to 2026-06-13T02:30:05.123Z; older ones are missing',
    );
    await region.getByText('Incomplete file saved').waitFor();
  },
  withTransactions,
);

pageTest(
  'an export continues after a short failure of the service',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    let lists = 0;
    await page.route(LIST, (route) =>
      lists++ % 2 === 1 ? route.abort('connectionreset') : route.continue(),
    );
    const file = await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    assert.equal(file.name, 'transactions_all.csv');
    assert.deepEqual(
      rowsOfFile(file.text).map((row) => row['reference']),
      namesOf(account, 25),
    );
  },
  withTransactions,
);

pageTest(
  'a file that cannot be finished is not saved, and the page shows the reason from the service',
  async ({ page, enter, account, app }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const release = await delayLists(page, 1);
    let downloads = 0;
    page.on('download', () => downloads++);
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const region = page.getByRole('region', { name: 'CSV file' });
    await region.getByText('10 transactions so far').waitFor();
    for (const { id } of await app.store.listApiKeys(account))
      await app.store.revokeApiKey(id, app.clock.now());
    await app.keyCache.refresh();
    release();
    await region.getByText('The file could not be finished: The API key is not valid').waitFor();
    await region.getByText(/Request id client-/).waitFor();
    await region.getByText('10 transactions read, back to 2026-06-13').waitFor();
    assert.equal(downloads, 0);
  },
  withTransactions,
);

pageTest(
  'a text that a spreadsheet would run as a formula stays a text',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.formula`);
    const file = await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    assert.equal(rowsOfFile(file.text)[0]?.['merchantReference'], `'=HYPERLINK("http://x","y")`);
  },
  {
    transactions: (account) => [
      transaction(account, 'formula', { merchantReference: '=HYPERLINK("http://x","y")' }),
    ],
  },
);
