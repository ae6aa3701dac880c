import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { detailTest, eventually, pageTests, textsOf, waitForFirstRow } from '../rig/page/browser.ts';
import { scriptTotals, totalsOf, totalsRows } from '../rig/page/page-totals.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { checkAccessibility } from './check-accessibility.ts';

const TOTALS = '**/v1/totals*';
const { test, it } = pageTests({ transactions: pageTransactions });
const totalsOn = (page: Page) => page.getByRole('region', { name: 'Totals' });
const openSums = (page: Page) => page.getByRole('button', { name: 'All sums' }).click();
const waitForTotals = (page: Page) =>
  page.locator('.summary[aria-busy="false"] .totals-table').waitFor({ state: 'attached' });

test('above the list are the exact sums of all matches, not only of the page shown, with aligned digits; without filters they are of this month, compared with last month', async (window) => {
  const { page, enter, account } = window;
  await enter();
  await waitForTotals(page);
  const expected = totalsOf(pageTransactions(account));
  await eventually(
    () => totalsRows(page),
    [
      'Completed 14 350.23 USD',
      'Pending 2 39.85 USD',
      'Completed 8 123,456,789,203.79 EUR',
      'Pending 1 12.50 EUR',
    ],
  );
  await eventually(
    () =>
      page
        .locator('.totals td > data')
        .evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value).sort()),
    expected.map(({ amount }) => amount).sort(),
  );
  await totalsOn(page).getByRole('heading', { name: 'This month' }).waitFor();
  await totalsOn(page).getByText('Created 1 Jun 2026 to 15 Jun 2026, so far', { exact: true }).waitFor();
  await totalsOn(page)
    .getByText(/^25 transactions, at 12:\d\d$/)
    .waitFor();
  await eventually(() => textsOf(page.locator('.answer-sum')), ['Net 350.23 USD']);
  await eventually(() => textsOf(page.locator('.summary-other')), ['123,456,789,203.79 EUR']);
  const table = page.getByRole('table', { name: 'Totals: each currency and status' });
  await eventually(() => table.isVisible(), false);
  await openSums(page);
  await eventually(() => table.isVisible(), true);
  await eventually(() => table.locator('.status').count(), 0, 'the heads have colours');
  const right = await page
    .locator('.totals [data-name="Completed"] .amount')
    .evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().right))).size);
  assert.equal(right, 1, 'amounts are not aligned');
  await totalsOn(page).getByRole('link', { name: 'Pending over 3 days: 1' }).waitFor();
  await eventually(
    async () =>
      (await totalsOn(page).locator('[data-name="Difference"]').allInnerTexts()).map((text) =>
        text.replaceAll(/\s/g, ''),
      ),
    Array(2).fill('1\u201314May2026:notransactions'),
  );
  await page.getByRole('button', { name: 'Older' }).click();
  await waitForFirstRow(page, `${account}.${name(10)}`);
  await eventually(async () => (await totalsRows(page)).length, 4);
});

it('on the first day of a month, the sums without filters are of the month before', async (window) => {
  const { page, stopClocks } = window;
  await stopClocks('2026-07-01T12:00:00Z');
  await openList(window);
  await totalsOn(page).getByRole('heading', { name: 'Last month' }).waitFor();
  await totalsOn(page).getByText('Created 1 Jun 2026 to 30 Jun 2026', { exact: true }).waitFor();
  await totalsOn(page)
    .getByText(/^25 transactions, at /)
    .waitFor();
  await totalsOn(page).getByRole('button', { name: 'Show all days' }).click();
  await totalsOn(page).getByRole('button', { name: 'Last month' }).click();
  await totalsOn(page).getByRole('heading', { name: 'Last month' }).waitFor();
});

it('the list is requested first and never waits for the totals, whose arrival does not move the layout', async (window) => {
  const { page, requests } = window;
  const delay = Promise.withResolvers<void>();
  await page.route(TOTALS, async (route) => {
    await delay.promise;
    await route.continue();
  });
  await openList(window, '#/transactions?currency=USD', 1);
  const sent = requests.filter((one) => one.includes('/v1/'));
  const lists = sent.findLastIndex((one) => one.includes('/v1/transactions'));
  assert.ok(lists < sent.findIndex((one) => one.includes('/v1/totals')), 'the list was not requested first');
  const top = () => page.locator('table.transactions').evaluate((one) => one.getBoundingClientRect().top);
  const widths = [1280, 800, 360];
  const tops = async () => {
    const found: number[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      found.push(await top());
    }
    return found;
  };
  const before = await tops();
  delay.resolve();
  await waitForTotals(page);
  await eventually(tops, before);
});

it('if totals cannot be loaded, a message is in their place and the list stays; a click or the page loads them again', async (window) => {
  const { page } = window;
  await page.route(TOTALS, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '60' }, body: '' }),
  );
  await openList(window);
  await totalsOn(page).getByText('The totals could not be loaded: HTTP 503').waitFor();
  await totalsOn(page).getByText('The page tries again automatically').waitFor();
  await checkAccessibility(page);
  await eventually(() => page.getByRole('table', { name: 'Transactions, newest first' }).count(), 1);
  await page.unroute(TOTALS);
  await totalsOn(page).getByRole('button', { name: 'Load the totals again' }).click();
  await waitForTotals(page);

  await page.route(TOTALS, (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Newest' }).click();
  await totalsOn(page).getByText('The totals could not be loaded').waitFor();
  await page.unroute(TOTALS);
  await waitForTotals(page);
});

it('a filter by merchantReference says that its totals are not shown, and an empty list shows none', async (window) => {
  const { page, requests } = window;
  await openList(window, '#/transactions?merchantReference=order-102', 2);
  await totalsOn(page).getByText('Totals are not shown for a filter by your reference.').waitFor();
  assert.equal(requests.filter((one) => /totals\?.*merchantReference/.test(one)).length, 0);
  await page.goto(`${page.url().split('#')[0]}#/transactions?currency=JPY`);
  await page.getByRole('heading', { name: 'No transactions match' }).waitFor();
  await page.locator('.summary').waitFor({ state: 'detached' });
  await eventually(() => totalsOn(page).count(), 0);
});

const STATUSES = [
  'completed',
  'refunded',
  'chargeback',
  'pending',
  'failed',
  'authorized',
  'cancelled',
  'expired',
];
const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'SEK'];
const AMOUNTS = ['1298.42', '-45640.43', '13634540.00'];

const cutParts = (page: Page) =>
  page.locator('.totals').evaluate((totals) => {
    const { right } = totals.getBoundingClientRect();
    const parts = [totals, ...totals.querySelectorAll('.totals-scroll, th, td, .amount, .totals-count')];
    return parts
      .filter((one) => one.checkVisibility() && !one.querySelector(':scope > .visually-hidden:only-child'))
      .filter(
        (one) =>
          (one.clientWidth > 0 && one.scrollWidth > one.clientWidth) ||
          one.getBoundingClientRect().right > right + 1,
      )
      .map((one) => `${one.className} ${one.textContent}: ${one.scrollWidth} > ${one.clientWidth}`);
  });

detailTest(
  'no number of the totals of 8 statuses and 6 currencies is cut at any width from 360 to 1600 pixels',
  async ({ page, enter, url }) => {
    const paid = ['completed', 'refunded', 'chargeback', 'authorized'];
    await page.route(`${url}/`, async (route) => {
      const response = await route.fetch();
      const declared = STATUSES.map((name) => `${name}:${paid.includes(name) ? 'paid' : 'unpaid'}`);
      const body = (await response.text()).replace('pending:unpaid completed:paid', declared.join(' '));
      await route.fulfill({ response, body });
    });
    const rows = CURRENCIES.flatMap((currencyCode, row) =>
      STATUSES.map((status, column) => ({
        ...{ currencyCode, status, count: 2038 },
        amount: AMOUNTS[(row + column) % AMOUNTS.length] as string,
      })),
    );
    await scriptTotals(page, rows);
    await page.setViewportSize({ width: 360, height: 800 });
    await enter();
    await page.locator('.totals tbody tr').first().waitFor({ state: 'attached' });
    await page.locator('.totals-toggle').click();
    const more = page.locator('.totals-foot .link');
    if (await more.isVisible()) await more.click();
    for (let width = 360; width <= 1600; width += 40) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(() => cutParts(page), [], `${width} px`);
    }
  },
  { context: { locale: 'de-DE' } },
);
