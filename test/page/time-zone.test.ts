import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { texts as de } from '../../web/text/de.ts';
import { transaction } from '../rig/data/transactions.ts';
import {
  chooseZone,
  detailTest,
  enterInto,
  eventually,
  openDays,
  pageTests,
  rowsOf,
} from '../rig/page/browser.ts';
import { totalsRows } from '../rig/page/page-totals.ts';

type Times = readonly [name: string, createdAt: string][];

const recorded = (times: Times) => (account: string) =>
  times.map(
    ([name, createdAt], index): AccountTransaction =>
      transaction(account, name, { createdAtMs: Date.parse(createdAt), amountMinor: 10 ** index }),
  );

const chooseLocal = (page: Page) => chooseZone(page, /^This device/);
const shownZone = (page: Page, zone: string) =>
  page.getByRole('button', { name: `Time zone ${zone}`, exact: true }).waitFor();

async function assertShown(page: Page, account: string, names: readonly string[], sum: string) {
  const references = names.map((name) => `${account}.${name}`);
  await eventually(async () => (await rowsOf(page)).map(([, reference]) => reference), references);
  const expected = [`Completed ${names.length} ${sum} EUR`];
  await eventually(() => totalsRows(page), expected);
  const bars = () =>
    page
      .getByRole('option', { name: /^[^;]+ EUR/ })
      .evaluateAll((all) =>
        all.map((one) => Number(/: ([\d.]+) EUR/.exec(one.getAttribute('aria-label') ?? '')?.[1])),
      );
  await eventually(
    async () => (await bars()).reduce((total, amount) => total + amount, 0).toFixed(2),
    sum,
    'the bars',
  );
}

const MARCH: Times = [
  ['after', '2026-03-31T22:00:00.000Z'],
  ['last', '2026-03-31T21:59:59.999Z'],
  ['middle', '2026-03-15T12:00:00.000Z'],
  ['first', '2026-02-28T23:00:00.000Z'],
  ['before', '2026-02-28T22:59:59.999Z'],
];
const OF_MARCH = '#/transactions?from=2026-03-01&to=2026-03-31';

const { test, it } = pageTests({ transactions: recorded(MARCH) });

test('a month of the local zone is the same in the list, totals and chart, and in another window with its link', async (window) => {
  const { page, enter, account, url, key, another } = window;
  await enter(OF_MARCH);
  await assertShown(page, account, ['after', 'last', 'middle'], '1.11');
  await chooseLocal(page);
  await assertShown(page, account, ['last', 'middle', 'first'], '11.10');
  await shownZone(page, 'Europe/Berlin');
  const days = await openDays(page);
  await days.getByText('From and To are whole days of Europe/Berlin, both included.').waitFor();
  const hash = `${OF_MARCH}&account=${account}&timeZone=Europe/Berlin`;
  await eventually(() => new URL(page.url()).hash, hash);

  const other = await another();
  await other.goto(`${url}/${hash}`);
  await enterInto(other.getByLabel('API key', { exact: true }), key);
  await assertShown(other, account, ['last', 'middle', 'first'], '11.10');
  await other.getByRole('button', { name: 'All sums' }).click();
  await other.getByRole('link', { name: '3 Completed in EUR', exact: true }).click();
  await other.waitForURL(/status=completed/);
  await assertShown(other, account, ['last', 'middle', 'first'], '11.10');
  await chooseZone(page, 'UTC');
  await assertShown(page, account, ['after', 'last', 'middle'], '1.11');
});

const ZURICH: Times = [
  ['after', '2026-10-25T23:00:00.000Z'],
  ['last', '2026-10-25T22:59:59.999Z'],
  ['second-two', '2026-10-25T01:00:00.000Z'],
  ['first-two', '2026-10-25T00:59:59.999Z'],
  ['first', '2026-10-24T22:00:00.000Z'],
  ['before', '2026-10-24T21:59:59.999Z'],
];

detailTest(
  'the day on which the clocks are set back has 25 hours in the chart and in the list, where the repeated hour has its offsets',
  async ({ page, enter, account }) => {
    await enter('#/transactions?from=2026-10-24&to=2026-10-26&timeZone=Europe/Zurich');
    await page.getByRole('option', { name: '25 Oct 2026: 111.10 EUR, 4 transactions' }).click();
    const names = ZURICH.slice(1, 5).map(([name]) => `${account}.${name}`);
    await eventually(async () => (await rowsOf(page)).map(([, reference]) => reference), names);
    await eventually(() => totalsRows(page), ['Completed 4 111.10 EUR']);
    assert.deepEqual(
      (await rowsOf(page)).map(([created]) => created),
      ['25 Oct, 23:59', '25 Oct, 02:00 +01:00', '25 Oct, 02:59 +02:00', '25 Oct, 00:00'],
    );
  },
  {
    transactions: recorded(ZURICH),
    context: { timezoneId: 'Europe/Zurich' },
  },
);

it('days in an address without a time zone are UTC days, and an address without days uses the zone that was chosen last', async (window) => {
  const { page, enter, account, url } = window;
  await enter();
  await chooseLocal(page);
  await page.goto(`${url}/${OF_MARCH}`);
  await eventually(() => new URL(page.url()).hash, `${OF_MARCH}&account=${account}&timeZone=UTC`);
  await shownZone(page, 'UTC');
  await page.goto(`${url}/?again#/transactions`);
  await shownZone(page, 'Europe/Berlin');
  const offer = page.getByRole('button', { name: 'Use days of Europe/Berlin' });
  await eventually(() => offer.count(), 0);

  await page.goto(`${url}/${OF_MARCH}`);
  await openDays(page);
  await offer.click();
  await shownZone(page, 'Europe/Berlin');
  await page.getByText('Created 1 Mar 2026 to 31 Mar 2026', { exact: true }).waitFor();
  await eventually(() => offer.count(), 0);
  const later = await page.context().newPage();
  await later.goto(url);
  await shownZone(later, 'Europe/Berlin');
});

detailTest(
  'a first visit shows times in the zone of the device, in the format of its language, with the year if it is not the current one',
  async ({ page, enter }) => {
    await enter();
    await eventually(
      async () => (await rowsOf(page, de.$listCaption)).map(([created]) => created),
      ['01.06., 00:30', '31.12.2025, 23:30'],
    );
    await page.getByRole('button', { name: /Europe.Berlin/ }).waitFor();
  },
  {
    transactions: recorded([
      ['one', '2026-05-31T22:30:00.000Z'],
      ['two', '2025-12-31T22:30:00.000Z'],
    ]),
    isFirstVisit: true,
    context: { locale: 'de-DE' },
  },
);
