import assert from 'node:assert/strict';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { completed } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import {
  choose,
  chooseZone,
  eventually,
  fragmentOf,
  pageTests,
  settled,
  textsOf,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, pageTransactions } from '../rig/page/page-transactions.ts';
import { checkAccessibility } from './check-accessibility.ts';

const { test, it } = pageTests({ transactions: pageTransactions });

test('one transaction is shown with all fields and its changes, and becomes completed by itself; Back returns to its row of the list', async (window) => {
  const { page, enter, account, app, url } = window;
  await enter('#/transactions?currency=USD');
  const reference = `${account}.${name(4)}`;
  await page.getByRole('link', { name: reference }).click();
  await page.getByRole('region', { name: `Transaction ${reference}` }).waitFor();
  const fields = page.locator('dl .transaction-field');
  await fields.first().waitFor();
  await eventually(
    () => textsOf(fields),
    [
      `Payment ID ${reference}`,
      'Your reference order-104',
      'Created 14 Jun 2026, 08:30:05 UTC',
      'Paid 14 Jun 2026, 08:30:50 UTC',
    ],
  );
  await eventually(
    () => textsOf(page.locator('.detail .heading').locator('h1, .status')),
    ['16.46 USD', 'Completed'],
  );
  await eventually(() => page.title(), `${reference} - ${account} - Transactions`);
  await eventually(() => page.locator(':focus').evaluate((one) => one.tagName), 'H1');

  await chooseZone(page, /^This device/);
  await page.getByText('14 Jun 2026, 10:30:05 +02:00').first().waitFor();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await waitForFirstRow(page, `${account}.${name(1)}`);
  assert.match(page.url(), /currency=USD/);
  await eventually(() => page.locator(':focus').innerText(), reference);

  const tab = await page.context().newPage();
  const feedOfTab: string[] = [];
  tab.on('request', (request) => {
    if (request.url().includes('/v1/changes?')) feedOfTab.push(request.url());
  });
  await tab.goto(`${url}/#/transactions/${account}.${name(1)}`);
  await tab.getByText('Not paid').waitFor();
  await tab.getByText('Live', { exact: true }).waitFor();
  await record(app.store, [completed(pageTransactions(account)[1] as AccountTransaction)]);
  await tab.locator('.heading').getByText('Completed').waitFor();
  const here = new Date(app.clock.now() + 2 * 3_600_000);
  const recordedAt = `${here.getUTCDate()} Jun 2026, ${here.toISOString().slice(11, 19)} +02:00`;
  await eventually(
    () => textsOf(tab.getByRole('region', { name: 'Recorded by the service' }).getByRole('listitem')),
    [`Recorded as pending ${recordedAt} change 2`, `Then as completed ${recordedAt} change 26`],
  );
  await page.getByRole('button', { name: /^1 change since .* \u2013 show$/ }).waitFor();
  assert.deepEqual(feedOfTab, []);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await eventually(() => feedOfTab.length > 0, true);
});

it('in a wide window, a transaction is shown beside its list: the list does not change, Escape closes the transaction, and a filter keeps the focus', async (window) => {
  const { page, enter, account, requests } = window;
  await enter('#/transactions?currency=USD');
  const row = (index: number) => page.getByRole('link', { name: `${account}.${name(index)}` });
  const beside = (index: number) =>
    page.getByRole('complementary', { name: `Transaction ${account}.${name(index)}` });
  const focused = () => page.locator(':focus').innerText();
  const ofList = () => requests.filter((one) => /\/v1\/(transactions|totals)\?currency=USD$/.test(one));
  await page.getByRole('link', { name: 'All days' }).or(row(4)).first().waitFor();
  await page.locator('.answer-sum').waitFor();
  await row(4).press('Enter');
  await beside(4).getByText('16.46 USD').first().waitFor();
  await checkAccessibility(page);
  await row(1).waitFor();
  await eventually(() => focused(), '16.46 USD');
  const before = ofList();
  await page.keyboard.press('Escape');
  await eventually(() => focused(), `${account}.${name(4)}`);
  await eventually(() => beside(4).count(), 0);
  await eventually(() => page.title(), `USD - ${account} - Transactions`);

  await row(4).click();
  await row(1).click();
  await beside(1).waitFor();
  await page.goBack();
  await beside(4).waitFor();
  await chooseZone(page, /^This device/);
  await beside(4).getByText('+02:00').first().waitFor();
  await beside(4).getByRole('link', { name: 'Back to the list' }).click();
  await eventually(() => focused(), `${account}.${name(4)}`);
  assert.deepEqual(ofList(), before);

  await row(4).click();
  await beside(4).waitFor();
  await choose(page, /^Status/, 'Completed');
  await eventually(() => beside(4).count(), 0);
  await settled(page);
  await eventually(() => focused(), 'Status: Completed');

  await page.setViewportSize({ width: 1279, height: 720 });
  await row(4).click();
  await page
    .getByRole('main')
    .getByRole('region', { name: /^Transaction / })
    .waitFor();
  await eventually(() => page.getByRole('table').count(), 0);
});

it('for an unknown reference the page names the account that was searched, and links to the search', async (window) => {
  const { page, enter, account } = window;
  await enter('#/transactions/order-104');
  const alert = page.getByRole('alert');
  await alert
    .getByText(`The account ${account} has no transaction with the payment ID "order-104".`)
    .waitFor();
  await alert.getByText(/Request id client-/).waitFor();
  await checkAccessibility(page);
  await alert.getByRole('link', { name: 'Search your references' }).click();
  await page.getByRole('region', { name: `Transaction ${account}.${name(4)}` }).waitFor();
});

const orders = (account: string) => [
  transaction(account, 'tried', { merchantReference: 'order-7', status: 'pending', createdAtMs: 0 }),
  transaction(account, 'paid', { merchantReference: 'order-7' }),
  transaction(account, 'alone', { merchantReference: 'order-8' }),
  ...Array.from({ length: 51 }, (_, index) =>
    transaction(account, `many-${index}`, { merchantReference: 'many' }),
  ),
];
const { it: itOfOrder } = pageTests({ transactions: orders });

itOfOrder(
  'the attempts of an order stand on the screen of a transaction, with their sum; an order of one has no section, and one that many share leads to the list instead of a sum',
  async ({ page, enter, account }) => {
    await enter(`#/transactions/${account}.paid`);
    const order = page.getByRole('region', { name: 'Related transactions' });
    const texts = (list: string) => textsOf(order.getByRole('list', { name: list }).getByRole('listitem'));
    await eventually(
      async () => (await texts('Related transactions, oldest first')).map((text) => text.split('.')[1]),
      ['tried Pending 12', 'paid this one Completed 12'],
    );
    const sums = ['Net 12.50 EUR', 'Completed 1 12.50 EUR', 'Pending 1 12.50 EUR'];
    await eventually(() => texts('Sum of these transactions'), sums);
    await page.evaluate((to) => location.assign(to), `#/transactions/${account}.many-7`);
    await order.getByText('These are the newest 50 of the order.').waitFor();
    assert.equal(await order.getByRole('list', { name: 'Sum of these transactions' }).count(), 0);
    await order.getByRole('link', { name: 'Show all of the order in the list' }).click();
    await eventually(() => fragmentOf(page), '#/transactions?merchantReference=many');

    const loaded = page.waitForResponse((response) => response.url().includes('merchantReference=order-8'));
    await page.evaluate((to) => location.assign(to), `#/transactions/${account}.alone`);
    await (await loaded).finished();
    await page
      .getByRole('region', { name: 'Recorded by the service' })
      .getByRole('listitem')
      .first()
      .waitFor();
    assert.equal(await order.count(), 0);
  },
);
