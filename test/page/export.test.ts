import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { readSpreadsheet } from '../rig/data/spreadsheet.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { eventually, holdExports, pageTests, waitForFirstRow } from '../rig/page/browser.ts';
import { totalsOf, totalsRows } from '../rig/page/page-totals.ts';
import { MANY, manyTransactions, name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { exportButton, pressSave, savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const withTransactions = { transactions: pageTransactions };
const { test, it: itOfFew } = pageTests(withTransactions);
const { it } = pageTests({ transactions: manyTransactions });
const namesOf = (account: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${account}.${name(index)}`);
const regionOf = (page: Page) => page.getByRole('region', { name: 'CSV file' });
const save = (page: Page) => pressSave(page, 'Save as CSV');

async function saved(page: Page, action: Parameters<typeof savedFile>[1]) {
  const file = await savedFile(page, action);
  const rows: Record<string, string>[] = parse(file.bytes, { columns: true });
  return { ...file, rows };
}

function countSaved(page: Page): () => number {
  let count = 0;
  page.on('download', () => count++);
  return () => count;
}

const HELD_PAGES = 20;

test('a file has exactly the transactions of its filter, and is saved only after its rows, sums, number and hash are verified', async (window) => {
  const { page, enter, account } = window;
  await enter('#/transactions?status=completed');
  await waitForFirstRow(page, `${account}.${name(2)}`);
  const file = await saved(page, 'Save as CSV');
  assert.equal(file.name, `${account}_transactions_completed.csv`);
  assert.deepEqual(
    file.rows.map((row) => row['reference']),
    namesOf(account, 25).filter((_, index) => index > 1 && index !== 14),
  );
  const region = regionOf(page);
  await region.getByText('Complete file saved, verified').waitFor();
  await region.getByText(/^22 transactions in/).waitFor();
  await region.getByText(/, at 12:\d\d$/).waitFor();
  const sums = totalsOf(pageTransactions(account)).filter(({ status }) => status === 'completed');
  await eventually(
    async () =>
      (
        await region.locator('data').evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value))
      ).sort(),
    sums.map(({ amount }) => amount).sort(),
  );
  await region.getByRole('button', { name: 'Copy the checksum of the file' }).click();
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), sha256);
  await region.getByText(`${sha256.slice(0, 8)}\u2026${sha256.slice(-8)}`).waitFor();
  await checkAccessibility(page);
  await region.getByRole('button', { name: 'Close' }).click();
  await eventually(() => region.count(), 0);
});

async function openTransaction(page: Page, reference: string): Promise<void> {
  await page.getByRole('link', { name: reference, exact: true }).click();
  await page.getByRole('heading', { name: 'Recorded by the service' }).waitFor();
}

it('an export shows how many of its transactions have arrived, and after Cancel nothing is saved; other screens have a line about it, which then says how it ended and leads to the details', async (window) => {
  const { page, enter, account, faults } = window;
  const release = holdExports(faults, HELD_PAGES);
  const count = countSaved(page);
  await enter('#/transactions?from=2026-06-01');
  await save(page);
  const region = regionOf(page);
  await region.getByText(/^Created from 1 Jun 2026 \(UTC\): [1-9][\d,]* of 3,500 transactions$/).waitFor();
  await eventually(() => exportButton(page).getAttribute('aria-disabled'), 'true');
  const progress = region.getByRole('progressbar', { name: 'Loading the CSV file' });
  const [value, max] = [await progress.getAttribute('value'), await progress.getAttribute('max')];
  assert.equal(max, String(MANY));
  assert.ok(Number(value) > 0 && Number(value) < MANY, `${value}`);
  await checkAccessibility(page);
  await region.getByRole('button', { name: 'Cancel' }).click();
  await region.getByText('Cancelled: nothing was saved').waitFor();
  await checkAccessibility(page);
  release();
  assert.equal(count(), 0);

  const releaseAgain = holdExports(faults, HELD_PAGES);
  await region.getByRole('button', { name: 'Start again' }).click();
  await region.getByText(/[1-9][\d,]* of 3,500 transactions/).waitFor();
  await openTransaction(page, `${account}.m0${MANY}`);
  await region.getByText(/^Loading the CSV file: /).waitFor();
  await checkAccessibility(page);
  const line = await region.boundingBox();
  assert.ok(line !== null && line.height < 70, `${line?.height}`);
  await page.emulateMedia({ media: 'print' });
  await eventually(() => region.locator('p').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  const file = await saved(page, releaseAgain);
  assert.equal(file.rows.length, MANY);
  const ended = `Complete file saved, verified: ${file.name}`;
  await region.getByText(ended).waitFor();
  await page.locator('#announcements').getByText(ended).waitFor();
  await eventually(() => region.getByRole('button', { name: 'Cancel' }).count(), 0);
  await region.getByRole('link', { name: 'Details' }).click();
  await region.getByText(/^3,500 transactions in/).waitFor();
  await openTransaction(page, `${account}.m0${MANY}`);
  await eventually(() => region.count(), 0);
  assert.equal(count(), 1);
});

it('a download that is cut starts again by itself, and the complete file includes what was recorded meanwhile', async (window) => {
  const { page, enter, faults, app, account, requests } = window;
  const release = holdExports(faults, HELD_PAGES);
  await enter();
  await save(page);
  const region = regionOf(page);
  await region.getByText(/[1-9][\d,]* of 3,500 transactions/).waitFor();
  await record(app.store, [transaction(account, 'later', { createdAtMs: DAY('2026-06-16') })]);
  const downloading = page.waitForEvent('download');
  app.server.server.closeAllConnections();
  release();
  const bytes = readFileSync(await (await downloading).path());
  const references = (parse(bytes, { columns: true }) as Record<string, string>[]).map(
    (row) => row['reference'],
  );
  assert.deepEqual(references, [
    `${account}.later`,
    ...manyTransactions(account).map(({ reference }) => reference),
  ]);
  await region.getByText('Complete file saved, verified').waitFor();
  assert.equal(requests.filter((one) => one.includes('/v1/transactions.csv?')).length, 2);
  await eventually(async () => (await totalsRows(page))[0], 'Completed 3,501 43,762.50 EUR');
});

for (const [format, ending, amount, altered] of [
  ['CSV', 'csv', '16.46,USD', '26.46,USD'],
  ['Excel', 'ndjson', '"16.46"', '"26.46"'],
] as const)
  test(`a file with a byte that the service did not send is never saved as ${format}`, async (window) => {
    const { page, enter } = window;
    const count = countSaved(page);
    await page.route(`**/v1/transactions.${ending}*`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(amount, altered);
      const { 'content-encoding': _, ...headers } = response.headers();
      await route.fulfill({ response, headers, body });
    });
    await enter();
    await pressSave(page, `Save as ${format}`);
    const region = page.getByRole('region', { name: `${format} file` });
    await region.getByText('Nothing was saved: The file differs from what the service exported').waitFor();
    await region.getByText(/sha256 is/).waitFor();
    assert.equal(count(), 0);
    await page.unroute(`**/v1/transactions.${ending}*`);
    await savedFile(page, 'Start again');
  });

itOfFew(
  'a spreadsheet whose script cannot be loaded is not saved, and the page offers to load it again',
  async (window) => {
    const { page, account } = window;
    await page.route('**/page/*/export.*.js', (route) => route.abort());
    await openList(window);
    await pressSave(page, 'Save as Excel');
    await page.getByRole('alert').getByText('This part of the page could not be loaded').waitFor();
    await page.unroute('**/page/*/export.*.js');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const { bytes } = await savedFile(page, 'Save as Excel');
    assert.equal(readSpreadsheet(bytes)[0]?.rows.length, 26);
  },
);

itOfFew(
  'more transactions than a sheet has rows are not loaded; the page says so and offers CSV',
  async (window) => {
    const { page, enter, requests } = window;
    await page.route('**/v1/totals?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data.length > 0) body.data[0].count = 1_048_576;
      await route.fulfill({ response, json: { ...body, data: body.data.slice(0, 1) } });
    });
    await enter('#/transactions?currency=EUR');
    await pressSave(page, 'Save as Excel');
    const region = page.getByRole('region', { name: 'Excel file' });
    await region.getByText('More transactions than a spreadsheet has rows').waitFor();
    await region.getByText('There are 1,048,576, and a sheet has room for 1,048,575.').waitFor();
    await checkAccessibility(page);
    assert.ok(!requests.some((one) => one.includes('.ndjson')));
    const file = await savedFile(page, () => region.getByRole('button', { name: 'Save as CSV' }).click());
    assert.match(file.name, /_transactions_EUR\.csv$/);
  },
);
