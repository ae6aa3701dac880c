import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import {
  choose,
  eventually,
  fragmentOf,
  holdExports,
  openDays,
  type PageWindow,
  pageTests,
  textsOf,
} from '../rig/page/browser.ts';
import { checkAccessibility } from './check-accessibility.ts';

const { test } = pageTests();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEFORE_MS = DAY('2026-06-01') - 2 * HOUR_MS;
const MAY = 'from=2026-05-01&to=2026-05-31';

type Fields = Parameters<typeof transaction>[2];

interface Planned {
  name: string;
  createdAtMs: number;
  fields?: Fields;
  delayMs: number;
  statusDelayMs?: number;
}

const TWICE: readonly Planned[] = [40, 0, 30 * 60].map((minutes, index) => ({
  name: `twice${index}`,
  createdAtMs: DAY('2026-05-20') + minutes * 60_000,
  fields: { merchantReference: 'order-twice', amountMinor: 4990 },
  delayMs: 0,
}));
const LAST_MS = BEFORE_MS - HOUR_MS;
const ALL: readonly Planned[] = [
  {
    name: 'settled',
    createdAtMs: LAST_MS,
    fields: { amountMinor: 1 },
    delayMs: 0,
    statusDelayMs: 5 * DAY_MS,
  },
  { name: 'added', createdAtMs: LAST_MS, fields: { amountMinor: 10 }, delayMs: 5 * DAY_MS },
  { name: 'open', createdAtMs: LAST_MS, fields: { status: 'pending' }, delayMs: 0 },
  { name: 'old', createdAtMs: BEFORE_MS - 20 * DAY_MS, fields: { status: 'pending' }, delayMs: 0 },
  {
    name: 'back',
    createdAtMs: LAST_MS,
    fields: { status: 'disputed', amountMinor: -100, paidAtMs: LAST_MS },
    delayMs: 0,
  },
  ...TWICE,
];

async function recordAll({ app, account }: PageWindow, all: readonly Planned[] = ALL): Promise<void> {
  const nowMs = app.clock.now();
  const steps = all.flatMap(({ name, createdAtMs, fields, delayMs, statusDelayMs = delayMs }) => {
    const row = transaction(account, name, { currencyCode: 'EUR', createdAtMs, ...fields });
    const pending = { ...row, status: 'pending', paidAtMs: null };
    return [
      ...(delayMs === statusDelayMs ? [] : [{ atMs: createdAtMs + delayMs, row: pending }]),
      { atMs: createdAtMs + statusDelayMs, row },
    ];
  });
  for (const { atMs, row } of steps.sort((one, other) => one.atMs - other.atMs)) {
    app.clock.set(atMs);
    await record(app.store, [row]);
  }
  app.clock.set(nowMs);
}

const shownSums = async (page: Page, title: string): Promise<string[]> =>
  page
    .getByRole('list', { name: `${title}: sums`, exact: true })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items
        .map((item) =>
          [
            item.firstChild?.textContent?.toLowerCase(),
            ...[...item.querySelectorAll('data')].map(
              (amount) => `${amount.value} ${amount.querySelector('.amount-currency')?.textContent}`,
            ),
          ].join(' '),
        )
        .sort(),
    );

async function isRight(page: Page, count: number, late: readonly string[]): Promise<void> {
  await page.locator('.read-note').getByText(`${count} transactions read at`).waitFor();
  await page.getByRole('heading', { name: 'May 2026 is open' }).waitFor();
  await page.getByRole('link', { name: 'till pending: 2.' }).waitFor();
  await eventually(() => shownSums(page, 'Recorded late'), late);
  await eventually(() => shownSums(page, 'New'), ['completed (1) 0.10 EUR']);
  await eventually(() => shownSums(page, 'No longer pending'), ['completed (1) 0.01 EUR']);
  await eventually(() => shownSums(page, 'Disputes'), ['disputed (1) -1.00 EUR']);
}

test('the screen says whether a month is finished and what came late, by creation and by payment, with sums that agree with its payments', async (window) => {
  const { page, enter } = window;
  await recordAll(window);
  await enter(`#/transactions?${MAY}&timeZone=Europe/Berlin`);
  await page.getByText('May 2026 is open: 2 pending').waitFor();
  await page.getByRole('link', { name: 'Review the month' }).click();
  await page.getByRole('heading', { name: 'To look at' }).waitFor();
  await isRight(page, 8, ['completed (1) 0.10 EUR']);
  await eventually(() => fragmentOf(page), `#/review?${MAY}`);
  await choose(page, /^Period by/, 'date paid');
  await isRight(page, 6, ['completed (2) 0.11 EUR']);
  await eventually(() => fragmentOf(page), `#/review?${MAY}&by=payment`);

  await page.goBack();
  await choose(page, /^Period by:/, 'date paid');
  await page.getByText('May 2026 is open: 2 pending').waitFor();
});

test('equal payments within an hour are pointed out, long pending ones are a link to a list with a column of age, and reading is cancelled with the keyboard', async (window) => {
  const { page, enter, faults } = window;
  await recordAll(window);
  const release = holdExports(faults, 0);
  await enter(`#/review?${MAY}&timeZone=Europe/Berlin`);
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await cancel.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Cancelled. Nothing was checked.').waitFor();
  release();
  faults.beforeExportPage = undefined;
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('heading', { name: 'Charged twice? 1' }).waitFor();
  const twice = page.getByRole('table', { name: 'Charged twice?' });
  await eventually(
    async () => (await twice.locator('a.reference').allInnerTexts()).map((text) => text.split('.')[1]),
    ['twice1', 'twice0'],
  );
  await twice.getByText('40 minutes').waitFor();
  await eventually(() => shownSums(page, 'Charged twice?'), ['completed (1) 49.90 EUR']);
  await checkAccessibility(page);

  const first = async (selector: string) => (await textsOf(page.locator(selector)))[0];
  await eventually(
    async () => (await first('.review-overview li')) === (await first('.review-part[aria-labelledby] h2')),
    true,
  );
  assert.match(String(await first('.review-overview li')), /^Pending by age \d+$/);
  const row = page.getByRole('table', { name: 'Pending by age' }).getByRole('row', { name: /^over 30 days/ });
  await row.getByRole('link', { name: '1', exact: true }).click();
  await eventually(() => fragmentOf(page), '#/transactions?status=pending&to=2026-05-15');
  await page.locator('table.transactions').getByRole('cell', { name: '34 days' }).waitFor();
  await page.getByRole('columnheader', { name: 'Age' }).waitFor();
});

test('a month without pending transactions is finished, and with a filter the screen says so only for that currency; it also says that nothing came late', async (window) => {
  const { page, enter } = window;
  await recordAll(window, TWICE);
  await enter(`#/transactions?${MAY}&timeZone=Europe/Berlin`);
  await page.getByText('May 2026 is finished').waitFor();
  await page.getByRole('link', { name: /^To look at/ }).click();
  await page.getByRole('heading', { name: 'May 2026 is finished' }).waitFor();
  await eventually(
    () => textsOf(page.locator('.review-overview li')),
    [
      ...['Pending by age 0', 'Recorded after 31 May 2026 0', 'Charged twice? 1'],
      ...['Disputes 0', 'Recorded late 0'],
    ],
  );
  await eventually(
    () => textsOf(page.locator('.review-part h2')),
    ['May 2026 is finished', 'Charged twice? 1'],
  );
  const totals = /\/v1\/totals\?.*status=pending/;
  await page.route(totals, (route) => route.fulfill({ status: 500 }));
  await choose(page, /^Period by/, 'date paid');
  await page.locator('.review-state').getByText('The totals could not be loaded').waitFor();
  await page.unroute(totals);
  await choose(page, /^Period by/, 'date created');
  await page.getByRole('heading', { name: 'May 2026 is finished' }).waitFor();
  await (await openDays(page)).getByRole('button', { name: 'This month' }).click();
  await page.getByRole('heading', { name: 'This period is open' }).waitFor();
  await page.getByText('The last day is not over.').waitFor();
  await page.evaluate((days) => {
    location.hash = `#/transactions?currency=EUR&${days}&timeZone=Europe/Berlin`;
  }, MAY);
  await page.getByText('May 2026 (EUR) is finished').waitFor();
  await page.getByRole('link', { name: 'Review the month' }).click();
  await page.getByRole('heading', { name: 'May 2026 (EUR) is finished' }).waitFor();
});
