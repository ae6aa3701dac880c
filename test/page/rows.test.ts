import assert from 'node:assert/strict';
import { detailTest, eventually, waitForFirstRow } from '../rig/page/browser.ts';
import { name, pageTransactions } from '../rig/page/page-transactions.ts';

detailTest(
  'a page has as many rows as a person chooses, also after a reload, each transaction once',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const references = () => page.locator('table.transactions a.reference').allInnerTexts();
    await page.getByRole('button', { name: 'Older' }).click();
    await waitForFirstRow(page, `${account}.${name(10)}`);
    await page.getByLabel('Rows').selectOption('20');
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await eventually(async () => (await references()).length, 20);
    await page.getByRole('button', { name: 'Older' }).click();
    await waitForFirstRow(page, `${account}.${name(20)}`);
    await page.getByText('Page 2, the last', { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel('Rows').selectOption('50');
    await eventually(
      references,
      Array.from({ length: 25 }, (_, index) => `${account}.${name(index)}`),
    );
    assert.equal(await page.getByLabel('Rows').inputValue(), '50');
  },
  { transactions: pageTransactions },
);
