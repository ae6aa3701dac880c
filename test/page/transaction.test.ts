import assert from 'node:assert/strict';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { detailTest, eventually, pageTest, waitForFirstRow } from '../rig/browser.ts';
import { completed } from '../rig/changes.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';
import { record } from '../rig/transactions.ts';

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
    await eventually(
      async () => (await fields.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      [
        `Reference ${reference}`,
        'Your reference order-104',
        'Created 2026-06-14 08:30:05.123 UTC',
        'Paid 2026-06-14 08:30:50.123 UTC',
      ],
    );
    await eventually(
      async () => (await page.locator('.card-head').innerText()).replaceAll(/\s+/g, ' '),
      '16.46 USD Completed',
    );
    await eventually(() => page.title(), `${reference} - ${account} - Transactions`);
    await eventually(() => page.locator(':focus').evaluate((one) => one.tagName), 'H1');

    await page.getByRole('radio', { name: /Local/ }).check();
    await page.getByText('2026-06-14 10:30:05.123 +02:00').first().waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await waitForFirstRow(page, `${account}.${name(1)}`);
    assert.match(page.url(), /currency=USD/);
    await eventually(() => page.locator(':focus').innerText(), reference);
  },
  withTransactions,
);

detailTest(
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

detailTest(
  'an unknown reference says whose transactions were looked at, and leads to the search',
  async ({ page, enter, account }) => {
    await enter('#/transactions/order-104');
    const alert = page.getByRole('alert');
    await alert
      .getByText(`The account ${account} has no transaction with the reference "order-104".`)
      .waitFor();
    await alert.getByText(/Request id client-/).waitFor();
    await alert.getByRole('link', { name: 'Search your references' }).click();
    await page.getByRole('heading', { name: `Transaction ${account}.${name(4)}` }).waitFor();
  },
  withTransactions,
);

pageTest(
  'the timeline has the times of a transaction, and its places in the change feed',
  async ({ page, enter, app, account }) => {
    const reference = `${account}.${name(0)}`;
    const [found] = pageTransactions(account);
    await record(app.store, [completed(found as AccountTransaction)]);
    const recordedAt = new Date(app.clock.now()).toISOString().replace('T', ' ').replace('Z', ' UTC');
    await enter(`#/transactions/${reference}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('listitem').first().waitFor();
    const events = await timeline.getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      events.map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      [
        'Created 2026-06-15 08:30:05.123 UTC',
        'Paid 2026-06-15 08:30:06.123 UTC',
        `Recorded here as pending ${recordedAt} change 1 of the account`,
        `Changed here to completed ${recordedAt} change 26 of the account`,
      ],
    );
  },
  withTransactions,
);
