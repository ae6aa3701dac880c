import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  choose,
  chooseZone,
  detailTest,
  eventually,
  pageTests,
  settled,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { tooWide, violationsOf } from './check-accessibility.ts';

const PHONE = { width: 360, height: 740 };
const withTransactions = { transactions: pageTransactions };
const { it } = pageTests(withTransactions);

const visibleControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input')]
      .filter((one) => one.checkVisibility())
      .map((one) => one.outerHTML.slice(0, 80)),
  );

it('on a phone the first row is within 200 pixels of the top, and each row has two lines; the filters are one line, and a button opens the totals', async (window) => {
  const { page } = window;
  await page.setViewportSize(PHONE);
  await openList(window, '#/transactions?status=completed&from=2026-06-01&to=2026-06-30', 2);
  await page.locator('.answer-sum').getByText('350.23').waitFor();
  await settled(page);
  const first = await page.locator('table.transactions tbody tr').first().boundingBox();
  assert.ok(first !== null && first.y <= 200, `the first row is ${first?.y} px below the top`);
  const lines = await page
    .locator('table.transactions tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  assert.ok(
    lines.every((height) => height < 80),
    `${lines}: a row has more than two lines`,
  );
  const bar = await page.locator('header.bar').boundingBox();
  assert.ok(bar !== null && bar.height < 60, `${bar?.height}`);

  await choose(page, /^Currency:/, 'EUR');
  await eventually(() => tooWide(page), []);

  await page.getByRole('button', { name: 'All sums' }).click();
  await page.getByText(/^8 transactions, at/).waitFor();
  await page.getByRole('table', { name: 'Totals: each currency and status' }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
});

it('a printed page has the account, the filters, the time zone, the totals and the time of printing, in light colours and without buttons', async (window) => {
  const { page, account, url, stopClocks } = window;
  await page.emulateMedia({ colorScheme: 'dark' });
  await openList(window, '#/transactions?currency=EUR&from=2026-06-01&to=2026-06-30');
  await page.locator('.totals-table').waitFor({ state: 'attached' });
  const head = page.locator('.print-head');
  await eventually(() => head.isVisible(), false);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await stopClocks('2026-07-01T06:30:15.000Z');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await head.getByText('Printed 1 Jul 2026 06:30 UTC').waitFor();
  await eventually(
    () => head.innerText(),
    `Account ${account} \u00b7 Filters: EUR, 1 Jun 2026 to 30 Jun 2026 (UTC) \u00b7 Times in UTC \u00b7 Printed 1 Jul 2026 06:30 UTC`,
  );
  await eventually(
    async () => (await page.getByRole('navigation', { name: 'Pages' }).innerText()).replaceAll('\n', ' '),
    'Page 1, the last 9 of 9 transactions',
  );
  await eventually(() => visibleControls(page), []);
  await eventually(() => page.getByRole('table', { name: 'Totals: each' }).isVisible(), true);
  await eventually(
    () => page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    'rgb(255, 255, 255)',
  );

  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Remove the filter EUR' }).click();
  await chooseZone(page, /Europe.Berlin/);
  await waitForFirstRow(page, `${account}.${name(0)}`);
  const count = page.locator('.pager-count');
  await count.getByText('10 of 25 transactions').waitFor({ state: 'attached' });
  await eventually(() => count.isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  await eventually(() => count.isVisible(), true);
  await head.getByText(/Times in Europe\/Berlin . Printed 1 Jul 2026 08:30 \+02:00$/).waitFor();

  await page.goto(`${url}/#/transactions/${account}.${name(3)}`);
  await page.getByRole('heading', { name: 'Recorded by the service' }).waitFor();
  await head.getByText(new RegExp(`^Account ${account} . Times in Europe/Berlin . Printed`)).waitFor();
  await eventually(() => visibleControls(page), []);
  await eventually(
    () => page.locator('.detail').getByText('123,456,789,012.34', { exact: true }).isVisible(),
    true,
  );
});

const geometry = (page: Page) =>
  page.evaluate(() => {
    const parts = [...document.querySelectorAll('#main > *')].filter((one) => one.checkVisibility());
    const places = parts.map((one) => one.getBoundingClientRect());
    const over = (left: DOMRect, right: DOMRect) =>
      left.left < right.right - 1 &&
      right.left < left.right - 1 &&
      left.top < right.bottom - 1 &&
      right.top < left.bottom - 1;
    const payment = document.querySelector('.payment')?.getBoundingClientRect();
    const timeline = document.querySelector('.timeline')?.getBoundingClientRect();
    return {
      overlaps: parts
        .filter((_, index) => places.some((place, at) => at < index && over(place, places[index] as DOMRect)))
        .map((one) => one.outerHTML.slice(0, 60)),
      isBeside: payment && timeline && payment.right <= timeline.left && payment.top === timeline.top,
      isFirst: payment && timeline && payment.bottom <= timeline.top,
    };
  });

/**
 * Filters must fit on every screen except the list, where a narrow page shows them in one line that scrolls.
 */
const cutFilters = (page: Page) =>
  page
    .locator('.days-screen .filters')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML.slice(0, 60)),
    );

for (const locale of ['en-GB', 'de-DE', 'fr-FR'])
  detailTest(
    `no parts of a screen overlap at any width, and from 992 pixels a payment is beside its timeline: ${locale}`,
    async (window) => {
      const { page, account, url } = window;
      await openList(window);
      for (const fragment of [
        '#/transactions?status=completed&from=2026-05-01&to=2026-06-15',
        '#/review?from=2026-05-01&to=2026-06-15',
        '#/webhooks',
        '#/search?text=order',
        `#/transactions/${account}.${name(0)}`,
      ]) {
        await page.goto(`${url}/${fragment}`);
        await page.locator('#main h1').waitFor();
        await settled(page);
        for (const width of [360, 390, 768, 991, 992, 1280, 1920]) {
          await page.setViewportSize({ width, height: 900 });
          const isTransaction = fragment.includes(account);
          await eventually(
            () => geometry(page),
            {
              overlaps: [],
              isBeside: isTransaction ? width >= 992 : undefined,
              isFirst: isTransaction ? width < 992 : undefined,
            },
            `${fragment} ${width}`,
          );
          await eventually(() => tooWide(page), [], `${fragment} ${width}`);
          assert.deepEqual(await cutFilters(page), [], `${fragment} ${width}`);
        }
      }
    },
    { ...withTransactions, scopes: ['read', 'webhooks'], context: { locale } },
  );
