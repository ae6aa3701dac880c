import assert from 'node:assert/strict';
import { transaction } from '../rig/data/transactions.ts';
import {
  chooseZone,
  detailTest,
  eventually,
  leaveRetriesToClicks,
  pageTests,
  settled,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pressSave } from '../rig/page/saved-file.ts';
import { checkNames, checkTable, checkWidths, tabTo } from './check-accessibility.ts';

const withTransactions = { transactions: pageTransactions };
const { it } = pageTests(withTransactions);
const LIST = '**/v1/transactions*';

detailTest(
  'the longest possible values fit at any width',
  async ({ page, enter, account }) => {
    await enter();
    await page.locator('table.transactions').waitFor();
    await checkWidths(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    const scroll = page.locator('.table-scroll');
    assert.ok(await scroll.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    await chooseZone(page, /^This device/);
    await checkWidths(page);
    await page.locator('table.transactions a.reference').click();
    await page.getByText('R'.repeat(255)).first().waitFor();
    await checkWidths(page);
    await page.goto(`${page.url().split('#')[0]}#/transactions?merchantReference=${'R'.repeat(255)}`);
    await page.locator('table.transactions').waitFor();
    await eventually(
      () => page.locator('table.transactions a.reference').innerText(),
      `${account}.${'W'.repeat(55)}`,
    );
    await checkWidths(page);
  },
  {
    context: { timezoneId: 'America/Argentina/ComodRivadavia' },
    transactions: (account) => [
      transaction(account, 'W'.repeat(55), {
        merchantReference: 'R'.repeat(255),
        amountMinor: -999_999_999_999_999,
        details: JSON.stringify({ customer: 'C'.repeat(255), note: 'N'.repeat(255) }),
      }),
    ],
  },
);

it('the keyboard alone signs in, filters, turns pages, opens a transaction, goes back and signs out', async (window) => {
  const { page, url, key, account } = window;
  const { keyboard } = page;
  const focused = () =>
    page
      .locator(':focus')
      .evaluate((one) => one.getAttribute('aria-label') ?? (one as HTMLElement).innerText);

  await page.goto(url);
  await page.locator('#api-key:focus').waitFor();
  await keyboard.type(key);
  await keyboard.press('Enter');
  await waitForFirstRow(page, `${account}.${name(0)}`);

  await tabTo(page, 'Skip to the content');
  await keyboard.press('Enter');
  await eventually(() => focused(), 'Transactions');
  await tabTo(page, /^Status: any/);
  await keyboard.press('Enter');
  await tabTo(page, 'Completed');
  await keyboard.press('Escape');
  await eventually(() => focused(), 'Status: any', 'the focus does not return');
  await keyboard.press('Enter');
  await tabTo(page, 'Completed');
  await keyboard.press('Enter');
  await page.waitForURL(/status=completed/);
  await eventually(() => focused(), 'Status: Completed');
  await page.locator('#filter-currency button', { hasText: 'USD' }).waitFor({ state: 'attached' });
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await keyboard.press(key);
  await tabTo(page, 'USD');
  await keyboard.press('Enter');
  await page.waitForURL(/currency=USD/);
  await settled(page);
  await waitForFirstRow(page, `${account}.${name(2)}`);
  await keyboard.press('End');
  await keyboard.press('Enter');
  await tabTo(page, 'This device (Europe/Berlin)');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Time zone Europe/Berlin' }).waitFor();
  await tabTo(page, 'Older');
  await keyboard.press('Space');
  await page.getByText('Page 2, the last', { exact: true }).waitFor();
  await eventually(() => focused(), 'Older', 'the focus is lost with the page');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Enter');
  await waitForFirstRow(page, `${account}.${name(2)}`);

  await tabTo(page, 'Skip to the content');
  await tabTo(page, `${account}.${name(4)}`);
  await keyboard.press('Enter');
  await page
    .locator('aside:has(h1:focus)')
    .getByRole('region', { name: `Transaction ${account}.${name(4)}` })
    .waitFor();
  await keyboard.press('Shift+Tab');
  await eventually(() => focused(), 'Back to the list');
  await keyboard.press('Enter');
  await waitForFirstRow(page, `${account}.${name(2)}`);
  await page
    .getByRole('link', { name: `${account}.${name(4)}` })
    .and(page.locator(':focus'))
    .waitFor();
  await tabTo(page, 'Sign out');
  await keyboard.press('Enter');
  await page.locator('#api-key:focus').waitFor();
});

it('the focus moves to the heading when the focused element is removed', async (window) => {
  const { page, account, faults } = window;
  await openList(window);
  const heading = page.getByRole('heading', { level: 1 }).and(page.locator(':focus'));
  await page.route(LIST, () => {});
  await pressSave(page, 'Save as CSV');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await heading.waitFor();
  await page.getByRole('button', { name: 'Close' }).press('Enter');
  await heading.waitFor();
  await page.unroute(LIST);

  await leaveRetriesToClicks(page);
  faults.failing = true;
  await page.getByRole('button', { name: 'Older' }).press('Enter');
  await page.getByRole('alert').waitFor();
  await heading.waitFor();
  faults.failing = false;
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await waitForFirstRow(page, `${account}.${name(10)}`);
  await heading.waitFor();
});

it('a screen reader finds a table at any width, and each of its buttons has a different name', async (window) => {
  const { page } = window;
  await openList(window);
  await checkTable(page, page.getByRole('table', { name: 'Transactions, newest first' }), 6);
  await checkNames(page.locator('table.transactions button'));
});

it('nothing moves with reduced motion, and the chosen option is visible with forced colours', async (window) => {
  const { page } = window;
  await openList(window);
  await page.route(LIST, () => {});
  await page.reload();
  await page.locator('.loading-row').first().waitFor();
  const moving = () => page.evaluate(() => document.getAnimations().length);
  await eventually(async () => (await moving()) > 0, true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await eventually(() => moving(), 0);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('button', { name: /^Time zone/ }).click();
  const grounds = await page
    .locator('#zone .choice')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assert.equal(new Set(grounds).size, 2);
});
