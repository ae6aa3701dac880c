import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, holdExports, pageTests, waitForFirstRow } from '../rig/page/browser.ts';
import { MANY, manyTransactions } from '../rig/page/page-transactions.ts';
import { pressSave, savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const regionOf = (page: Page) => page.getByRole('region', { name: 'CSV file' });
const save = (page: Page) => pressSave(page, 'Save as CSV');
const VERIFIED = 'Complete file saved, verified';

async function openTransaction(page: Page, reference: string): Promise<void> {
  await page.getByRole('link', { name: reference, exact: true }).click();
  await page.getByRole('heading', { name: 'Recorded by the service' }).waitFor();
}

const { it } = pageTests({ transactions: manyTransactions });

it('while a file is loading, other screens have a line about it, which then says how it ended and leads to the details', async (window) => {
  const { page, enter, account, faults } = window;
  const release = holdExports(faults, 20);
  await enter('#/transactions?from=2026-06-01');
  await waitForFirstRow(page, `${account}.m0${MANY}`);
  await save(page);
  const region = regionOf(page);
  await region.getByText(/[1-9][\d,]* of 3,500 transactions/).waitFor();
  await openTransaction(page, `${account}.m0${MANY}`);
  await region.getByText(/^Loading the CSV file: /).waitFor();
  await checkAccessibility(page);
  const line = await region.boundingBox();
  assert.ok(line !== null && line.height < 70, `${line?.height}`);
  await page.emulateMedia({ media: 'print' });
  await eventually(() => region.locator('p').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });

  const saved = `${VERIFIED}: ${(await savedFile(page, release)).name}`;
  await region.getByText(saved).waitFor();
  await page.locator('#announcements').getByText(saved).waitFor();
  await eventually(() => region.getByRole('button', { name: 'Cancel' }).count(), 0);
  await region.getByRole('link', { name: 'Details' }).click();
  await region.getByText(/^3,500 transactions in/).waitFor();

  await openTransaction(page, `${account}.m0${MANY}`);
  await eventually(() => region.count(), 0);
});
