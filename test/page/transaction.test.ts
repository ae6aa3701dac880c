import assert from 'node:assert/strict';
import { pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';

const withTransactions = { transactions: pageTransactions };

pageTest(
  'one transaction is shown with all fields, and Back returns to its row of the list',
  async ({ page, enter, account }) => {
    await enter('#/transactions?currency=USD');
    const reference = `${account}.${name(4)}`;
    await page.getByRole('link', { name: reference }).click();
    await page.getByRole('heading', { name: `Transaction ${reference}` }).waitFor();
    const fields = page.locator('dl .transaction-field');
    await fields.first().waitFor();
    assert.deepEqual(
      (await fields.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      [
        `Reference ${reference}`,
        'Your reference order-104',
        'Created 2026-06-14 08:30:05.123 UTC',
        'Paid 2026-06-14 08:30:50.123 UTC',
      ],
    );
    assert.equal(
      (await page.locator('.card-head').innerText()).replaceAll(/\s+/g, ' '),
      '16.46 USD Completed',
    );
    assert.equal(await page.title(), `${reference} - Transactions`);
    assert.equal(await page.locator(':focus').evaluate((one) => one.tagName), 'H1');

    await page.getByRole('radio', { name: /Local/ }).check();
    await page.getByText('2026-06-14 10:30:05.123 +02:00').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await waitForFirstRow(page, `${account}.${name(1)}`);
    assert.match(page.url(), /currency=USD/);
    assert.equal(await page.locator(':focus').innerText(), reference);
  },
  withTransactions,
);

pageTest(
  'a transaction without paidAt or merchantReference says so',
  async ({ page, enter, account }) => {
    await enter(`#/transactions/${account}.${name(0)}`);
    await page.getByText('Not paid').waitFor();
    await page.getByText('None', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All transactions' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
  },
  withTransactions,
);

pageTest(
  'a reference is found from any screen, and an unknown one shows the error of the service',
  async ({ page, enter, account }) => {
    await enter();
    const search = page.getByRole('searchbox', { name: 'Find a transaction by its reference' });
    await search.fill(` ${account}.${name(24)} `);
    await page.keyboard.press('Enter');
    await page.getByText('2026-06-09 08:30:05.123 UTC').waitFor();
    await search.fill('acct-0/a reference?#%2F');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('No transaction of this account has this reference.').waitFor();
    await alert.getByText(/Request id client-/).waitFor();
    await page.goBack();
    await page.getByText('2026-06-09 08:30:05.123 UTC').waitFor();
  },
  withTransactions,
);
