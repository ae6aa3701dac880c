import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { detailTest, eventually, holdExports, pageTests, waitForFirstRow } from '../rig/page/browser.ts';
import { MANY, manyTransactions, name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pressSave, savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const regionOf = (page: Page) => page.getByRole('region', { name: 'CSV file' });
const save = (page: Page) => pressSave(page, 'Save as CSV');
const VERIFIED = 'Complete file saved, verified';

/** Opens a transaction from its row, and waits until its screen is whole. */
async function openTransaction(page: Page, reference: string): Promise<void> {
  await page.getByRole('link', { name: reference, exact: true }).click();
  await page.getByRole('heading', { name: 'Recorded by the service' }).waitFor();
}

detailTest(
  'the notice of a saved file is shown only with its list: not above a transaction, on paper or with another list',
  async (window) => {
    const { page, account, url } = window;
    await page.setViewportSize({ width: 360, height: 740 });
    await openList(window, '#/transactions?status=completed', 2);
    await save(page);
    const region = regionOf(page);
    await region.getByText(VERIFIED).waitFor();
    await page.emulateMedia({ media: 'print' });
    await eventually(() => page.getByText(VERIFIED).isVisible(), false);
    await page.emulateMedia({ media: 'screen' });

    await openTransaction(page, `${account}.${name(2)}`);
    await eventually(() => region.count(), 0);
    const card = await page.getByRole('region', { name: /^Transaction / }).boundingBox();
    assert.ok(card !== null && card.y < 370, `the transaction is at ${card?.y}`);
    await page.emulateMedia({ media: 'print' });
    await eventually(() => page.getByText(VERIFIED).count(), 0);
    await page.emulateMedia({ media: 'screen' });

    await page.goto(`${url}/#/transactions?status=pending`);
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await eventually(() => region.count(), 0);
    await page.goto(`${url}/#/transactions?status=completed&account=another`);
    await page.getByRole('heading', { name: 'This link belongs to another account' }).waitFor();
    await eventually(() => region.count(), 0);

    await page.goto(`${url}/#/transactions?status=completed`);
    await region.getByText(/^22 transactions in/).waitFor();
    await region.getByRole('button', { name: 'Close' }).click();
    await eventually(() => region.count(), 0);
  },
  { transactions: pageTransactions },
);

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

  // The next screen does not repeat the notice that the list has shown.
  await openTransaction(page, `${account}.m0${MANY}`);
  await eventually(() => region.count(), 0);
});

it('if a file fails while another screen is shown, that screen says that nothing was saved and why; Start again loads it from the beginning', async (window) => {
  const { page, enter, account, faults, app } = window;
  const release = holdExports(faults, 20);
  await enter();
  await waitForFirstRow(page, `${account}.m0${MANY}`);
  await save(page);
  const region = regionOf(page);
  await region.getByText(/[1-9][\d,]* of 3,500 transactions/).waitFor();
  await openTransaction(page, `${account}.m0${MANY}`);
  await page.route('**/v1/transactions.csv?*', (route) => route.fulfill({ status: 501, body: '' }));
  app.server.server.closeAllConnections();
  await region.getByRole('alert').getByText('Nothing was saved: HTTP 501').waitFor();
  await checkAccessibility(page);
  await page.unroute('**/v1/transactions.csv?*');
  release();
  await region.getByRole('link', { name: 'Details' }).click();
  const again = await savedFile(page, 'Start again');
  assert.equal(again.name, `${account}_transactions_all.csv`);
  assert.equal(again.bytes.toString().split('\r\n').length, 1 + MANY + 1);
});
