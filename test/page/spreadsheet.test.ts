import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readSpreadsheet } from '../rig/data/spreadsheet.ts';
import { pageTests, waitForFirstRow } from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pressSave, savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const { it } = pageTests({ transactions: pageTransactions });
const regionOf = (page: Page) => page.getByRole('region', { name: 'Excel file' });
const save = (page: Page) => pressSave(page, 'Save as Excel');

it('a spreadsheet whose script cannot be loaded is not saved, and the page offers to load it again', async (window) => {
  const { page, account } = window;
  await page.route('**/page/*/export.*.js', (route) => route.abort());
  await openList(window);
  await save(page);
  await page.getByRole('alert').getByText('This part of the page could not be loaded').waitFor();
  await page.unroute('**/page/*/export.*.js');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
  const { bytes } = await savedFile(page, 'Save as Excel');
  assert.equal(readSpreadsheet(bytes)[0]?.rows.length, 26);
});

it('more transactions than a sheet has rows are not loaded; the page says so and offers CSV', async (window) => {
  const { page, enter, requests } = window;
  await page.route('**/v1/totals?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (body.data.length > 0) body.data[0].count = 1_048_576;
    await route.fulfill({ response, json: { ...body, data: body.data.slice(0, 1) } });
  });
  await enter('#/transactions?currency=EUR');
  await save(page);
  const region = regionOf(page);
  await region.getByText('More transactions than a spreadsheet has rows').waitFor();
  await region.getByText('There are 1,048,576, and a sheet has room for 1,048,575.').waitFor();
  await checkAccessibility(page);
  assert.ok(!requests.some((one) => one.includes('.ndjson')));
  const file = await savedFile(page, () => region.getByRole('button', { name: 'Save as CSV' }).click());
  assert.match(file.name, /_transactions_EUR\.csv$/);
});
