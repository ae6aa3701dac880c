import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import {
  detailTest,
  eventually,
  fragmentOf,
  pageTests,
  settled,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { scriptTotals, totalsOf } from '../rig/page/page-totals.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const withTransactions = { transactions: pageTransactions };
const { test, it } = pageTests(withTransactions);
const bars = (page: Page) => page.getByRole('listbox');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const openOptions = (page: Page) => page.getByRole('button', { name: 'Options' }).click();
const options = (page: Page) => bars(page).getByRole('option');
async function labels(page: Page): Promise<string[]> {
  await settled(page);
  const found = await options(page).evaluateAll((all) =>
    all.map((one) => one.getAttribute('aria-label') as string),
  );
  return found.map((label) => label.replaceAll('\u2009', ' '));
}

test('the chart has a bar for each day of the range, with the exact sums of completed transactions in one currency; a click shows its day', async (window) => {
  const { page, enter, account } = window;
  await enter('#/transactions?from=2026-06-08&to=2026-06-16');
  await page.getByRole('listbox', { name: 'Completed amount per day in USD' }).waitFor();
  const expected = new Map(
    totalsOf(pageTransactions(account), { isByDay: true })
      .filter(({ status, currencyCode }) => status === 'completed' && currencyCode === 'USD')
      .map((row) => [row.day, row]),
  );
  const days = ['08', '09', '10', '11', '12', '13', '14', '15', '16'];
  await eventually(
    () => labels(page),
    days.map((day) => {
      const row = expected.get(`2026-06-${day}`);
      const name = `${Number(day)} Jun 2026`;
      if (row === undefined) return `${name}: no transactions`;
      return `${name}: ${row.amount} USD, ${row.count} transaction${row.count === 1 ? '' : 's'}`;
    }),
  );
  assert.equal(expected.size, 6);

  await heading(page, 'Completed, USD, per day');
  await openOptions(page);
  await page.getByLabel('Currency of the chart').selectOption('EUR');
  await page.getByRole('listbox', { name: 'Completed amount per day in EUR' }).waitFor();
  await page.getByLabel('Status of the chart').selectOption('pending');
  await page.getByRole('listbox', { name: 'Pending amount per day in EUR' }).waitFor();
  await eventually(
    async () => (await labels(page)).filter((label) => !label.endsWith('no transactions')),
    ['15 Jun 2026: 12.50 EUR, 1 transaction'],
  );
  await page.keyboard.press('Escape');
  const bar = page.getByRole('option', { name: /^15 Jun 2026/ });
  await bar.hover();
  await page.locator('.chart-value').getByText('15 Jun 2026').waitFor();
  await bar.click();
  await page.waitForURL(/status=pending&currency=EUR&from=2026-06-15&to=2026-06-15/);
});

it('the keyboard reaches each bar, and Enter shows exactly the transactions that it counts; a single day has a link to its month instead of a chart; Back returns', async (window) => {
  const { page, enter, account } = window;
  await enter('#/transactions?currency=USD&from=2026-06-08&to=2026-06-16');
  await bars(page).focus();
  const active = async () => {
    const id = (await bars(page).getAttribute('aria-activedescendant')) as string;
    return page.locator(`[id="${id}"]`).getAttribute('aria-label');
  };
  await eventually(() => active(), '16 Jun 2026: no transactions');
  await page.keyboard.press('ArrowRight');
  await eventually(() => active(), '16 Jun 2026: no transactions');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => /^14 Jun 2026: \d/.test((await active()) ?? ''), true);
  assert.match(
    await page.locator('.chart-value').innerText(),
    /^14 Jun 2026\s+\d+\.\d\d USD\s+\d transactions$/,
  );
  await page.keyboard.press('Home');
  await eventually(async () => (await active())?.startsWith('8 Jun 2026'), true);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await waitForFirstRow(page, `${account}.${name(2)}`);
  await eventually(
    () => fragmentOf(page),
    '#/transactions?status=completed&currency=USD&from=2026-06-14&to=2026-06-14',
  );
  await page.getByText('A chart needs more than one day.').waitFor();
  await page.getByRole('button', { name: /^Show 1.–.15 Jun 2026$/ }).click();
  await eventually(async () => (await labels(page)).length, 15);
  assert.equal(
    fragmentOf(page),
    '#/transactions?status=completed&currency=USD&from=2026-06-01&to=2026-06-15',
  );
  await page.goBack();
  await page.goBack();
  await eventually(async () => (await labels(page)).length, 9);
});

detailTest(
  'with a finger, the first tap shows the value of a bar, and the second one its day',
  async ({ page, enter }) => {
    await enter('#/transactions?currency=USD&from=2026-06-08&to=2026-06-16');
    const bar = options(page).nth(5);
    const before = fragmentOf(page);
    await bar.tap();
    await page.locator('.chart-value').getByText('13 Jun 2026').waitFor();
    await eventually(() => fragmentOf(page), before);
    await bar.tap();
    await page.waitForURL(/from=2026-06-13&to=2026-06-13/);
  },
  { ...withTransactions, context: { hasTouch: true } },
);

detailTest(
  'days are summed into weeks where the window is too narrow, and compared with those of the year before',
  async ({ page, enter }) => {
    await enter('#/transactions?from=2026-01-01&to=2026-06-30&currency=EUR');
    await page.getByRole('listbox', { name: 'Completed amount per week in EUR' }).waitFor();
    await heading(page, 'Completed, EUR, per week');
    const weeks = await labels(page);
    assert.equal(
      weeks[0],
      '1 \u2013 4 Jan 2026: 1.00 EUR, 1 transaction; 1 \u2013 5 Jan 2025: 7.00 EUR, 1 transaction',
    );
    await eventually(() => page.locator('.chart-before').count(), 1);
    assert.ok((await page.locator('.chart-label').allTextContents()).includes('1 Jan 2026'));
    assert.equal(weeks[1], '5 \u2013 11 Jan 2026: \u22121,000.50 EUR, 2 transactions');
  },
  {
    transactions: (account) => [
      transaction(account, 'earlier', { createdAtMs: DAY('2025-01-02'), amountMinor: 700 }),
      transaction(account, 'a', { createdAtMs: DAY('2026-01-01'), amountMinor: 100 }),
      transaction(account, 'b', { createdAtMs: DAY('2026-01-05'), amountMinor: -100_100 }),
      transaction(account, 'c', { createdAtMs: DAY('2026-01-11') + 86_399_999, amountMinor: 50 }),
    ],
  },
);

const extents = (page: Page) =>
  page.locator('.chart-fill').evaluateAll((all) =>
    all.map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return { top, bottom };
    }),
  );

it('negative amounts are below the line, in proportion, even beyond 64 bits', async ({ page, enter }) => {
  const row = (day: string, amount: string) => ({
    day,
    currencyCode: 'EUR',
    status: 'completed',
    count: 1,
    amount,
  });
  const { day: _, ...total } = row('', '200000000000000000000.00');
  await scriptTotals(page, [
    total,
    row('2026-06-01', '400000000000000000000.00'),
    row('2026-06-02', '-200000000000000000000.00'),
  ]);
  await enter('#/transactions?from=2026-06-01&to=2026-06-03');
  await bars(page).waitFor();
  await eventually(
    async () => (await labels(page))[1],
    '2 Jun 2026: \u2212200,000,000,000,000,000,000.00 EUR, 1 transaction',
  );
  const [up, down, none] = await extents(page);
  assert.equal(none, undefined, 'a day without transactions has a bar');
  assert.ok(up !== undefined && down !== undefined);
  assert.ok(Math.abs(up.bottom - down.top) < 1, 'the bars do not meet at the line');
  assert.ok(Math.abs(up.bottom - up.top - 2 * (down.bottom - down.top)) < 1.5);
  const scale = await page.locator('.chart-label').allTextContents();
  assert.ok(scale.includes('4E20') && scale.includes('\u22122E20'), scale.join(' '));
});

it('the figures of the chart are also a table', async ({ page, enter }) => {
  await enter('#/transactions?currency=USD&from=2026-06-08&to=2026-06-16');
  await openOptions(page);
  const table = page.getByRole('table', { name: 'Completed amount per day in USD' });
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await page.keyboard.press('Escape');
  await eventually(() => table.getByRole('columnheader').allInnerTexts(), ['Day (UTC)', 'Count', 'Amount']);
  const told = (await labels(page)).filter((label) => !label.endsWith('no transactions')).reverse();
  const rows = await table.locator('tbody tr').allInnerTexts();
  assert.deepEqual(
    rows.map((text) => text.split('\t')[0]),
    told.map((label) => label.split(':')[0]),
  );
  await bars(page).focus();
  await page.locator('.chart-bar-active').waitFor();
  await checkAccessibility(page);
});

it('a chart that cannot be loaded keeps the totals, and a click loads it again', async (window) => {
  const { page } = window;
  await page.route('**/v1/totals?*by=day*', (route) => route.fulfill({ status: 500, body: '' }));
  await openList(window);
  await page.getByText('The chart could not be loaded: HTTP 500').waitFor();
  await page.unroute('**/v1/totals?*by=day*');
  await page.getByRole('button', { name: 'Load it again' }).click();
  await bars(page).waitFor();
  await eventually(() => page.locator('.totals-table').count(), 1);
});

test('the chart is saved as an image of what it shows, and copied; if the browser refuses the copy, the page says so', async (window) => {
  const { page, enter, account, app } = window;
  await record(app.store, [
    transaction(account, 'earlier', { createdAtMs: DAY('2026-05-10'), currencyCode: 'USD' }),
  ]);
  await enter('#/transactions?from=2026-06-08&to=2026-06-16');
  await bars(page).waitFor();
  await openOptions(page);
  const { name: file, bytes } = await savedFile(page, 'Save as image');
  assert.equal(file, `${account}_completed_USD_2026-06-08_to_2026-06-16.png`);
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  const { width, height } = await bars(page).evaluate((one) => {
    const box = (one.querySelector('svg') as SVGSVGElement).viewBox.baseVal;
    return { width: box.width, height: box.height };
  });
  assert.equal(bytes.readUInt32BE(16), Math.floor((width + 32) * 3));
  assert.equal(bytes.readUInt32BE(20), (height + 28 + 24 + 32) * 3);
  await page.getByRole('button', { name: 'Copy image' }).click();
  await page.getByText('Copied image of the chart').waitFor({ state: 'attached' });
  const types = await page.evaluate(async () =>
    (await navigator.clipboard.read()).flatMap((one) => one.types),
  );
  assert.deepEqual(types, ['image/png']);
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Copy image' }).click();
  await page.getByRole('alert').getByText('The browser did not allow copying image of the chart').waitFor();
});
