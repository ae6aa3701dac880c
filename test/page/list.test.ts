import assert from 'node:assert/strict';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { completed } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import {
  choose,
  enterInto,
  eventually,
  fragmentOf,
  openDays,
  pageTest,
  pageTests,
  rowsOf,
  settled,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { checkAccessibility, tabTo } from './check-accessibility.ts';

const withTransactions = { transactions: pageTransactions };
const { test, it } = pageTests(withTransactions);

test('the table shows all fields of each transaction, with aligned digits; a click shows what was recorded meanwhile', async (window) => {
  const { page, account, app } = window;
  await openList(window);
  const rows = await rowsOf(page);
  assert.equal(rows.length, 10);
  await checkAccessibility(page);
  assert.deepEqual(rows.slice(0, 4), [
    [
      '15 Jun, 08:30',
      `${account}.${name(0)}`,
      '\u2013 no reference of yours',
      'Pending',
      '\u2013 not paid',
      '12.50 EUR',
    ],
    ['15 Jun, 02:30', `${account}.${name(1)}`, 'order-101', 'Pending', '\u2013 not paid', '13.49 USD'],
    ['14 Jun, 20:30', `${account}.${name(2)}`, 'order-102', 'Completed', '14 Jun, 20:30', '14.48 USD'],
    [
      '14 Jun, 14:30',
      `${account}.${name(3)}`,
      'order-103',
      'Completed',
      '14 Jun, 14:30',
      '123,456,789,012.34 EUR',
    ],
  ]);
  const style = await page
    .locator('.transactions td .amount')
    .first()
    .evaluate((amount) => {
      const { textAlign } = getComputedStyle(amount.closest('td') as Element);
      return { textAlign, numbers: getComputedStyle(amount).fontVariantNumeric };
    });
  assert.equal(style.textAlign, 'right');
  assert.match(style.numbers, /tabular-nums/);
  const headers = await page.locator('table.transactions').getByRole('columnheader').allInnerTexts();
  assert.deepEqual(headers, ['Created', 'Payment ID', 'Your reference', 'Status', 'Paid', 'Amount']);

  await page.getByText('Live', { exact: true }).waitFor();
  await record(app.store, [
    transaction(account, 'new', { createdAtMs: app.clock.now() }),
    transaction(account, 'old', { createdAtMs: 0 }),
    completed(pageTransactions(account)[0] as AccountTransaction),
  ]);
  const show = page.getByRole('button', { name: /^2 recorded, 1 change since \d\d:\d\d \u2013 show$/ });
  await show.waitFor();
  assert.deepEqual(await rowsOf(page), rows);
  await show.click();
  await waitForFirstRow(page, `${account}.new`);
  await eventually(async () => (await rowsOf(page))[1]?.[3], 'Completed');
  await show.waitFor({ state: 'detached' });
});

it('a click copies a reference and announces it', async ({ page, enter, account }) => {
  await enter();
  const reference = `${account}.${name(2)}`;
  await page.getByRole('button', { name: `Copy payment ID ${reference}`, exact: true }).click();
  await page.getByRole('status').getByText(`Copied payment ID ${reference}`).waitFor();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), reference);
  await page.getByRole('button', { name: 'Copy your reference order-102' }).click();
  await page.getByRole('status').getByText('Copied your reference order-102').waitFor();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), 'order-102');
});

test('filters restrict the list and are in the address, which shows the same list in another window', async (window) => {
  const { page, enter, account, url, key, another } = window;
  await enter();
  await choose(page, /^Status:/, 'Completed');
  const currencies = page.locator('#filter-currency button');
  await eventually(() => currencies.allTextContents(), ['any', 'EUR', 'USD'], 'those of the account');
  await choose(page, /^Currency:/, 'USD');
  await page.getByRole('status').getByText('14 transactions, page 1').waitFor({ state: 'attached' });
  await openDays(page);
  await page.getByLabel(/^From/).fill('2026-06-13');
  await page.getByLabel(/^To\b/).fill('2026-06-14');
  await waitForFirstRow(page, `${account}.${name(2)}`);
  const address = '#/transactions?status=completed&currency=USD&from=2026-06-13&to=2026-06-14';
  await eventually(() => fragmentOf(page), address);
  const shown = await rowsOf(page);
  assert.deepEqual(
    shown.map(([, reference]) => reference),
    [2, 4, 5, 7, 8].map((index) => `${account}.${name(index)}`),
  );
  await eventually(
    () => page.title(),
    `completed, USD, 13 Jun 2026 to 14 Jun 2026 (UTC) - ${account} - Transactions`,
  );

  const other = await another();
  await other.goto(`${url}/${new URL(page.url()).hash}`);
  await other
    .getByText(
      `This link shows transactions: completed, USD, 13 Jun 2026 to 14 Jun 2026 (UTC). It belongs to account ${account}: sign in to that account.`,
    )
    .waitFor();
  await enterInto(other.locator('#api-key'), key);
  await waitForFirstRow(other, `${account}.${name(2)}`);
  await eventually(() => rowsOf(other), shown);
  const chips = other.getByRole('toolbar', { name: 'Filters' });
  await chips.getByRole('button', { name: 'Status: Completed' }).waitFor();
  await chips.getByRole('button', { name: 'Currency: USD' }).waitFor();
  await eventually(() => other.locator('#from').inputValue(), '2026-06-13');

  await chips.getByRole('button', { name: 'Clear all' }).click();
  await waitForFirstRow(other, `${account}.${name(0)}`);
  await eventually(() => fragmentOf(other), '#/transactions');
  await other.goBack();
  await waitForFirstRow(other, `${account}.${name(2)}`);
  await chips.getByRole('button', { name: 'Status: Completed' }).waitFor();
});

it('a filter applies when it is chosen, and a day when its year is complete, in the list and on the screen "To look at"; the page says that an incomplete day has no effect', async (window) => {
  const { page, account, requests } = window;
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await openList(window);
  await choose(page, /^Currency:/, 'EUR');
  await waitForFirstRow(page, `${account}.${name(0)}`);
  await eventually(() => fragmentOf(page), '#/transactions?currency=EUR');
  const [field, next] = [page.locator('#from'), page.locator('#to')];
  for (const day of [
    '#/transactions?currency=EUR&from=2026-06-06',
    '#/review?currency=EUR&from=2026-05-05',
  ]) {
    if (day.includes('review')) await page.goto(`${page.url().split('#')[0]}#/review?currency=EUR`);
    await openDays(page);
    await field.focus();
    const before = requests.length;
    for (const key of `${day.slice(-5).replace('-', '')}2026`) await page.keyboard.press(key, { delay: 1 });
    await page.keyboard.press('Enter');
    await eventually(() => fragmentOf(page).split('&to=')[0], day);
    await settled(page);
    assert.deepEqual(
      requests.slice(before).filter((one) => /[fF]rom=(?!2026)/.test(one)),
      [],
    );
    const part = page.getByRole('alert').getByText('This day is incomplete and is ignored.');
    await next.focus();
    await field.focus();
    await page.keyboard.press('Backspace');
    await next.focus();
    await part.waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.focus();
    await page.keyboard.press('1');
    await part.waitFor({ state: 'detached' });
    await page.keyboard.press('Backspace');
  }
  assert.deepEqual(errors, [], 'a field that goes with its screen');
});

it('today is a day by the clock of the service, and the page warns if the device is more than two minutes off', async (window) => {
  const { page, faults } = window;
  await openList(window);
  const warning = page.getByText('The clock of this device is');
  for (const [ahead, said] of [
    [26 * 3_600_000, '26 hours fast'],
    [-50 * 86_400_000, '50 days slow'],
    [119_000, undefined],
  ] as const) {
    faults.dateMs = Date.UTC(2026, 6, 31, 23, 30);
    await page.clock.setFixedTime(faults.dateMs + ahead);
    await page.getByRole('link', { name: 'Transactions', exact: true }).click();
    if (said !== undefined) await page.getByText(`The clock of this device is ${said}.`).waitFor();
    await eventually(() => warning.count(), said === undefined ? 0 : 1);
    await page.getByText('Created 1 Jul 2026 to 31 Jul 2026, so far').waitFor();
    await page.getByRole('link', { name: 'Pending over 3 days: 3', exact: true }).waitFor();
  }
});

test('older and newer pages show each transaction once, by buttons, history and address; a double click moves by one page', async (window) => {
  const { page, account, another, url, key } = window;
  await openList(window);
  const button = (label: string) => page.getByRole('button', { name: label, exact: true });
  const isOff = (label: string) => button(label).getAttribute('aria-disabled');
  await eventually(() => isOff('Newer'), 'true');
  const seen = (await rowsOf(page)).map(([, reference]) => reference);
  for (const first of [10, 20]) {
    await button('Older').dblclick();
    await waitForFirstRow(page, `${account}.${name(first)}`);
    seen.push(...(await rowsOf(page)).map(([, reference]) => reference));
    await page
      .locator('.pager-place')
      .getByText(`Page ${first / 10 + 1}`)
      .waitFor();
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, index) => `${account}.${name(index)}`),
  );
  await page.getByText('Page 3, the last', { exact: true }).waitFor();
  await eventually(() => isOff('Older'), 'true');
  await page.getByRole('link', { name: 'Skip to the pages' }).press('Enter');
  await eventually(() => page.locator(':focus').innerText(), 'Newest');
  await page.getByRole('link', { name: 'Skip to the list' }).press('Enter');
  await eventually(() => page.locator(':focus').innerText(), `${account}.${name(20)}`);
  const address = new URL(page.url()).hash;

  await button('Newer').click();
  await waitForFirstRow(page, `${account}.${name(10)}`);
  await page.goBack();
  await waitForFirstRow(page, `${account}.${name(20)}`);
  await button('Newest').click();
  await waitForFirstRow(page, `${account}.${name(0)}`);

  const other = await another();
  await other.goto(`${url}/${address}`);
  await enterInto(other.locator('#api-key'), key);
  await waitForFirstRow(other, `${account}.${name(20)}`);
  await other.getByText('A later page, the last', { exact: true }).waitFor();
});

it('a page has as many rows as a person chooses, even after a reload, with each transaction once', async (window) => {
  const { page, account } = window;
  await openList(window);
  const references = () => page.locator('table.transactions a.reference').allInnerTexts();
  await page.getByRole('button', { name: 'Older' }).click();
  await waitForFirstRow(page, `${account}.${name(10)}`);
  await page.getByLabel('Rows').selectOption('25');
  await waitForFirstRow(page, `${account}.${name(0)}`);
  await eventually(async () => (await references()).length, 25);
  await page.getByText('Page 1, the last', { exact: true }).waitFor();
  await page.reload();
  await eventually(
    references,
    Array.from({ length: 25 }, (_, index) => `${account}.${name(index)}`),
  );
  assert.equal(await page.getByLabel('Rows').inputValue(), '25');
});

pageTest(
  'a first visit has 25 rows with the customer of each, and the next page the rest',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.c00`);
    await page.getByRole('listbox').waitFor();
    const rows = await rowsOf(page);
    assert.equal(rows.length, 25);
    assert.deepEqual(rows[0]?.slice(0, 3), ['15 Jun, 14:00', 'Ada Lovelace', `${account}.c00`]);
    const row = page.locator('.transactions tbody tr').nth(4);
    const opacity = () => row.locator('.copy').evaluateAll(([one]) => one && getComputedStyle(one).opacity);
    await eventually(opacity, '0');
    await tabTo(page, `${account}.c04`);
    await eventually(opacity, '1');
    await page.getByRole('button', { name: 'Older' }).click();
    await waitForFirstRow(page, `${account}.c25`);
    assert.equal((await rowsOf(page)).length, 6);
  },
  {
    transactions: (account) =>
      Array.from({ length: 31 }, (_, index) =>
        transaction(account, `c${String(index).padStart(2, '0')}`, {
          createdAtMs: Date.UTC(2026, 5, 15, 12) - index * 60_000,
          details: JSON.stringify({ customer: 'Ada Lovelace' }),
        }),
      ),
    isFirstVisit: true,
    scopes: ['read', 'webhooks'],
  },
);
