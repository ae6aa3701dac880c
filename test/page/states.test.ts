import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { transaction } from '../rig/data/transactions.ts';
import {
  detailTest,
  eventually,
  fragmentOf,
  pageTest,
  pageTests,
  textsOf,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { checkAccessibility } from './check-accessibility.ts';

const withTransactions = { transactions: pageTransactions };
const { test, it } = pageTests(withTransactions);
const LIST = '**/v1/transactions*';

detailTest('an account without transactions has its own message', async ({ page, enter }) => {
  await enter();
  await page.getByRole('heading', { name: 'No transactions yet' }).waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
});

test('a net that lacks archived transactions has a note that says so, on a phone too, and so does the end of the list', async (window) => {
  const { page, enter, account } = window;
  const archived = async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), archivedBefore: '2026-06-01' } });
  };
  for (const path of ['**/v1/totals*', LIST]) await page.route(path, archived);
  const text = 'Transactions that were created before 1 Jun 2026 are archived';
  const beside = page.locator('.answer').getByText(text);
  await enter('#/transactions?currency=USD');
  await beside.waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await beside.waitFor();
  await page.unroute('**/v1/totals*');
  await page.goto(`${page.url().split('#')[0]}#/transactions`);
  await waitForFirstRow(page, `${account}.${name(0)}`);
  const atEnd = page.locator('#main > .help').getByText(text);
  for (const older of [10, 20]) {
    assert.equal(await atEnd.count(), 0);
    await page.getByRole('button', { name: 'Older' }).click();
    await waitForFirstRow(page, `${account}.${name(older)}`);
  }
  await atEnd.waitFor();
  await page.route('**/v1/totals*', archived);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Show all days' }).click();
  await beside.waitFor();
  await eventually(() => atEnd.count(), 0, 'the note is on the screen once');
});

it('an empty list names its filters and the number of matches without one of them, and a click clears all filters', async ({
  page,
  enter,
  account,
}) => {
  await enter('#/transactions?currency=JPY&from=2026-06-01');
  await page.getByRole('heading', { name: 'No transactions match' }).waitFor();
  await page
    .getByText('No transaction of this account matches these filters: JPY, from 1 Jun 2026 (UTC).')
    .waitFor();
  await page.getByText('From and To are days of UTC, by date created.').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Without \u201cJPY\u201d: 25 transactions' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
});

it('a fault in a filter shows the error of the service, with a request id to copy', async (window) => {
  const { page, enter, account, app } = window;
  await enter('#/transactions?status=paid&currency=ZZZ&from=2026-02-30');
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'The request is invalid' }).waitFor();
  const faults = await alert.getByRole('listitem').allInnerTexts();
  assert.deepEqual(
    faults.map((text) => text.split(/\s/)[0]),
    ['status:', 'currency:', 'from:'],
  );
  assert.match(faults[0] ?? '', /is not a recognised status\. Recognised: pending, completed/);
  const invalid = page.locator('.chip[aria-invalid=true]');
  await eventually(() => textsOf(invalid), ['Status: Paid', 'Currency: ZZZ', 'From 2026-02-30']);
  await checkAccessibility(page);
  await alert.getByRole('button', { name: 'Copy request id' }).click();
  await eventually(
    async () => {
      const requestId = await page.evaluate(() => navigator.clipboard.readText());
      return requestId !== '' && app.logged.some((line) => line.includes(requestId));
    },
    true,
    'no line of the log has the request id',
  );
  await alert.getByRole('button', { name: 'Clear the filters' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
  await eventually(() => invalid.count(), 0);
});

it('the page retries while the service is unavailable, and shows the time of the next attempt', async (window) => {
  const { page, account, faults, requests } = window;
  await page.clock.install();
  await openList(window);
  faults.failing = true;
  await page.getByRole('button', { name: 'Older' }).click();
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'The service is temporarily unavailable' }).waitFor();
  const retry = page.locator('.retry');
  for (const pauseSeconds of [2, 4]) {
    await retry.getByText(/in \d+ s/).waitFor();
    const sent = requests.length;
    await page.clock.setSystemTime(0);
    await page.clock.fastForward(pauseSeconds * 1500);
    await retry.getByText('now\u2026').waitFor();
    await retry.getByText(/in \d+ s/).waitFor();
    assert.ok(requests.length > sent, 'the page did not retry');
  }
  await eventually(
    () => page.locator('#announcements').innerText(),
    '',
    'the failed page is announced as loading',
  );
  faults.failing = false;
  await page.clock.fastForward(15_000);
  await waitForFirstRow(page, `${account}.${name(10)}`);
  await eventually(() => alert.count(), 0);
});

it('for a misspelt link the page shows no list, names the fault, and offers the probable address', async (window) => {
  const { page, enter, account, requests } = window;
  await enter('#/?curency=EUR');
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'This link is misspelt' }).waitFor();
  await alert.getByText('is not a filter. Did you mean currency?').waitFor();
  await checkAccessibility(page);
  assert.equal(await page.getByRole('table').count(), 0);
  const lists = requests.filter((request) => request.includes('/v1/transactions'));
  assert.deepEqual(lists, []);
  await alert.getByRole('button', { name: 'Show EUR' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
  await eventually(() => fragmentOf(page), '#/transactions?currency=EUR');

  await page.evaluate(() => location.assign('#/elsewhere'));
  await alert.getByRole('button', { name: 'All transactions' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
});

it('after an altered cursor, a button leads to the newest page', async ({ page, enter, account }) => {
  await enter('#/transactions?cursor=abc');
  await page.getByRole('heading', { name: 'The cursor is malformed' }).waitFor();
  await page.getByRole('button', { name: 'Newest page' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
});

pageTest(
  'a merchantReference is shown as text, even if it is HTML',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.hostile`);
    await eventually(() => page.locator('.merchant-reference').innerText(), '<img src=x onerror=alert(1)>');
    assert.equal(await page.locator('td img').count(), 0);
  },
  {
    transactions: (account) => [
      transaction(account, 'hostile', { merchantReference: '<img src=x onerror=alert(1)>' }),
    ],
  },
);
