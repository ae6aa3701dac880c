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
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { checkAccessibility } from './check-accessibility.ts';

const { test } = pageTests();

const random = new Random(seed);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** May in Berlin's time. */
const FROM_MS = DAY('2026-05-01') - 2 * HOUR_MS;
const BEFORE_MS = DAY('2026-06-01') - 2 * HOUR_MS;
const MAY = 'from=2026-05-01&to=2026-05-31';

/** A payment, with the times at which it was recorded as pending, if at all, and in its status. */
interface Planned {
  name: string;
  order: string;
  cents: number;
  currencyCode: string;
  status: string;
  createdAtMs: number;
  paidAtMs: number | null;
  recordedAtMs: number;
  statusRecordedAtMs: number;
}

const DELAYS = [1000, 2 * HOUR_MS, DAY_MS, DAY_MS + 1000, 9 * DAY_MS, 20 * DAY_MS];

function planned(index: number): Planned {
  const createdAtMs = FROM_MS - 3 * DAY_MS + random.integer(0, 36 * DAY_MS);
  const isFirst = random.chance(0.6);
  const status = random.pick(['completed', 'completed', 'completed', 'failed', 'disputed', 'pending']);
  const recordedAtMs = createdAtMs + random.pick(DELAYS);
  const isPaid = status === 'completed' || status === 'disputed';
  return {
    name: `p${index}`,
    order: `order-${index}`,
    cents: (status === 'disputed' ? -1 : 1) * (100 + random.integer(0, 90_000)),
    currencyCode: random.pick(['EUR', 'USD']),
    status,
    createdAtMs,
    paidAtMs: isPaid ? createdAtMs + random.pick([1000, 5 * HOUR_MS]) : null,
    recordedAtMs,
    statusRecordedAtMs: isFirst || status === 'pending' ? recordedAtMs : recordedAtMs + random.pick(DELAYS),
  };
}

const SOME: readonly Planned[] = Array.from({ length: 60 }, (_, index) => planned(index));
/** Three equal payments. The first two were paid within an hour, the third on another day. */
const TWICE = [40, 0, 30 * 60].map((minutes, index) => {
  const atMs = DAY('2026-05-20') + minutes * 60_000;
  return {
    ...{ name: `twice${index}`, order: 'order-twice', cents: 4990, currencyCode: 'EUR', status: 'completed' },
    ...{ createdAtMs: atMs, paidAtMs: atMs, recordedAtMs: atMs, statusRecordedAtMs: atMs },
  };
});
/** One payment of each kind, to add to the random ones. */
const EACH: readonly Planned[] = (
  [
    ['settled', 'completed', 1000, 5 * DAY_MS],
    ['added', 'completed', 5 * DAY_MS, 5 * DAY_MS],
    ['open', 'pending', 1000, 1000],
    ['old', 'pending', 1000, 1000],
    ['back', 'disputed', 1000, 1000],
  ] as const
).map(([name, status, recordedMs, statusMs]) => {
  const createdAtMs = BEFORE_MS - (name === 'old' ? 20 * DAY_MS : HOUR_MS);
  return {
    ...{
      name,
      order: `order-${name}`,
      cents: status === 'disputed' ? -700 : 700,
      currencyCode: 'EUR',
      status,
    },
    ...{ createdAtMs, paidAtMs: status === 'pending' ? null : createdAtMs },
    ...{ recordedAtMs: createdAtMs + recordedMs, statusRecordedAtMs: createdAtMs + statusMs },
  };
});
const ALL: readonly Planned[] = [...SOME, ...EACH, ...TWICE];

/** Records every payment at its time. */
async function recordAll({ app, account }: PageWindow, all: readonly Planned[] = ALL): Promise<void> {
  const nowMs = app.clock.now();
  const steps = all.flatMap((one) => {
    const { name, order, cents, currencyCode, status, createdAtMs, paidAtMs } = one;
    const row = transaction(account, name, {
      ...{ merchantReference: order, amountMinor: cents, currencyCode, status, createdAtMs, paidAtMs },
    });
    const isFirst = one.recordedAtMs === one.statusRecordedAtMs;
    const before = { ...row, status: 'pending', paidAtMs: null };
    return [
      ...(isFirst ? [] : [{ atMs: one.recordedAtMs, row: before }]),
      { atMs: one.statusRecordedAtMs, row },
    ];
  });
  for (const { atMs, row } of steps.filter((one) => one.atMs <= nowMs).sort((a, b) => a.atMs - b.atMs)) {
    app.clock.set(atMs);
    await record(app.store, [row]);
  }
  app.clock.set(nowMs);
}

/** The payments as of the day of the tests. Those recorded later are missing or still pending. */
function shownOf(one: Planned): Planned[] {
  const nowMs = DAY('2026-06-15') + 12 * HOUR_MS;
  if (one.recordedAtMs > nowMs) return [];
  if (one.statusRecordedAtMs <= nowMs) return [one];
  return [{ ...one, status: 'pending', paidAtMs: null, statusRecordedAtMs: one.recordedAtMs }];
}

const SHOWN = ALL.flatMap(shownOf);
const isIn = (timeMs: number | null) => timeMs !== null && timeMs >= FROM_MS && timeMs < BEFORE_MS;

/**
 * The sums of payments as the page shows them: the number for each status, and the amounts of each currency.
 */
function sums(all: readonly Planned[]): string[] {
  return [...Map.groupBy(all, ({ status }) => status)]
    .map(([status, found]) => {
      const amounts = [...Map.groupBy(found, ({ currencyCode }) => currencyCode)]
        .map(([currency, own]) => {
          const cents = own.reduce((sum, one) => sum + one.cents, 0);
          return `${(cents / 100).toFixed(2)} ${currency}`;
        })
        .sort((one, other) => (one.slice(-3) < other.slice(-3) ? -1 : 1));
      return [`${status} (${found.length})`, ...amounts].join(' ');
    })
    .sort();
}

/** The sums that the page shows beside a heading. */
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

/** Compares all figures that the page shows for May with figures computed from the payments. */
async function isRight(page: Page, isByPayment: boolean): Promise<void> {
  const ofDays = SHOWN.filter((one) => isIn(isByPayment ? one.paidAtMs : one.createdAtMs));
  const late = ofDays.filter((one) =>
    isByPayment
      ? one.statusRecordedAtMs - (one.paidAtMs as number) > DAY_MS
      : one.recordedAtMs - one.createdAtMs > DAY_MS,
  );
  const added = ofDays.filter((one) => one.recordedAtMs >= BEFORE_MS);
  const settled = ofDays.filter((one) => one.recordedAtMs < BEFORE_MS && one.statusRecordedAtMs >= BEFORE_MS);
  const pending = isByPayment
    ? SHOWN.filter((one) => one.status === 'pending' && one.createdAtMs < BEFORE_MS)
    : ofDays.filter((one) => one.status === 'pending');
  assert.ok(late.length > 0 && added.length > 0 && settled.length > 0 && pending.length > 0, `seed ${seed}`);
  await page.locator('.read-note').getByText(`${ofDays.length} transactions read at`).waitFor();
  await page.getByRole('heading', { name: 'May 2026 is open' }).waitFor();
  await page.getByRole('link', { name: `till pending: ${pending.length}.` }).waitFor();
  await eventually(() => shownSums(page, 'Recorded late'), sums(late));
  await eventually(() => shownSums(page, 'New'), sums(added));
  await eventually(() => shownSums(page, 'No longer pending'), sums(settled));
  await eventually(
    () => shownSums(page, 'Disputes'),
    sums(ofDays.filter(({ status }) => status === 'disputed')),
  );
  await page.getByRole('heading', { name: `Recorded late ${late.length}` }).waitFor();
}

test('a month says whether it is finished and what came late, by creation and by payment, with the sums that its payments have', async (window) => {
  const { page, enter } = window;
  await recordAll(window);
  await enter(`#/transactions?${MAY}&timeZone=Europe/Berlin`);
  const pending = SHOWN.filter((one) => one.status === 'pending' && isIn(one.createdAtMs));
  await page.getByText(`May 2026 is open: ${pending.length} pending`).waitFor();
  await page.getByRole('link', { name: 'Recorded late' }).click();
  await page.getByRole('heading', { name: 'To look at' }).waitFor();
  await isRight(page, false);
  await eventually(() => fragmentOf(page), `#/review?${MAY}`);
  await choose(page, /^Period by/, 'date paid');
  await isRight(page, true);
  await eventually(() => fragmentOf(page), `#/review?${MAY}&by=payment`);

  await page.goBack();
  await choose(page, /^Period by:/, 'date paid');
  const before = SHOWN.filter((one) => one.status === 'pending' && one.createdAtMs < BEFORE_MS);
  await page.getByText(`May 2026 is open: ${before.length} pending`).waitFor();
});

test('equal payments within an hour are asked about, what is pending for long is a link to a list with a column of age, and reading is cancelled with the keyboard', async (window) => {
  const { page, enter, faults } = window;
  await recordAll(window);
  const release = holdExports(faults, 0);
  await enter(`#/review?${MAY}&timeZone=Europe/Berlin`);
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await cancel.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Cancelled. Nothing was looked at.').waitFor();
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

  const old = SHOWN.filter(
    (one) => one.status === 'pending' && one.createdAtMs < DAY('2026-05-16') - 2 * HOUR_MS,
  );
  const first = async (selector: string) => (await textsOf(page.locator(selector)))[0];
  await eventually(
    async () => (await first('.review-overview li')) === (await first('.review-part[aria-labelledby] h2')),
    true,
  );
  assert.match(String(await first('.review-overview li')), /^Pending by age \d+$/);
  const row = page.getByRole('table', { name: 'Pending by age' }).getByRole('row', { name: /^over 30 days/ });
  await row.getByRole('link', { name: String(old.length), exact: true }).click();
  await eventually(() => fragmentOf(page), '#/transactions?status=pending&to=2026-05-15');
  const [oldest] = old.toSorted((one, other) => other.createdAtMs - one.createdAtMs) as [Planned];
  const days = Math.floor((DAY('2026-06-15') + 12 * HOUR_MS - oldest.createdAtMs) / DAY_MS);
  await page
    .locator('table.transactions')
    .getByRole('cell', { name: `${days} days` })
    .first()
    .waitFor();
  await page.getByRole('columnheader', { name: 'Age' }).waitFor();
});

test('a month of which nothing is pending is finished, says so of one currency alone if it is filtered, and that nothing came after it', async (window) => {
  const { page, enter } = window;
  await recordAll(window, TWICE);
  await enter(`#/transactions?${MAY}&timeZone=Europe/Berlin`);
  await page.getByText('May 2026 is finished').waitFor();
  await page.getByRole('link', { name: /^To look at/ }).click();
  await page.getByRole('heading', { name: 'May 2026 is finished' }).waitFor();
  await page.getByRole('heading', { name: 'Recorded after 31 May 2026 None' }).waitFor();
  const totals = /\/v1\/totals\?.*status=pending/;
  await page.route(totals, (route) => route.fulfill({ status: 500 }));
  await choose(page, /^Period by/, 'date paid');
  await page.locator('.review-state').getByText('The totals could not be loaded').waitFor();
  await page.unroute(totals);
  await choose(page, /^Period by/, 'date created');
  await page.getByRole('heading', { name: 'May 2026 is finished' }).waitFor();
  await (await openDays(page)).getByRole('button', { name: 'This month' }).click();
  await page.getByRole('heading', { name: '1\u2009\u2013\u200915 Jun 2026 is open' }).waitFor();
  await page.getByText('Its last day is not over.').waitFor();
  await page.evaluate((days) => {
    location.hash = `#/transactions?currency=EUR&${days}&timeZone=Europe/Berlin`;
  }, MAY);
  await page.getByText('May 2026 (EUR) is finished').waitFor();
  await page.getByRole('link', { name: 'Recorded late' }).click();
  await page.getByRole('heading', { name: 'May 2026 (EUR) is finished' }).waitFor();
});
