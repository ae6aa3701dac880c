import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { auditEntry } from '../../src/audit/audit.ts';
import { demoSamples } from '../../src/cli/demo-samples.ts';
import { readSpreadsheet } from '../rig/data/spreadsheet.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { tagged } from '../rig/database/isolation.ts';
import { enterInto, eventually, pageTest, pageTests, textsOf, waitForFirstRow } from '../rig/page/browser.ts';
import { savedFile } from '../rig/page/saved-file.ts';
import { testClock } from '../rig/service/app.ts';
import { someStamp } from '../rig/store/audit.ts';
import { checkAccessibility } from './check-accessibility.ts';

const demo = {
  transactions: (account: string) =>
    demoSamples(account, testClock().now()).map(({ reference, relatedTo, ...one }) => ({
      ...one,
      reference: tagged(account, reference),
      relatedTo: relatedTo === null ? null : tagged(account, relatedTo),
    })),
};

const related = (page: Page) =>
  page.getByRole('list', { name: 'Related transactions, oldest first' }).getByRole('listitem');

pageTest(
  'a surname, the last four digits, about 80 euros and last week are enough to find a payment with its attempts, its refund and what is left of it',
  async ({ page, enter, account }) => {
    await enter();
    await enterInto(page.getByRole('searchbox'), 'jackson 9975');
    const rows = page.getByRole('table', { name: 'Transactions that were found' }).locator('tbody tr');
    await eventually(
      () => textsOf(rows.locator('[data-name="Found in"]')),
      Array.from({ length: 3 }, () => 'Customer Last 4: 9975'),
    );
    await eventually(() => rows.first().locator('mark').allInnerTexts(), ['Jackson', '9975']);
    await checkAccessibility(page);
    await enterInto(page.getByRole('searchbox'), 'jackson 9975 about 80 euros last week');
    await eventually(() => rows.count(), 1);
    await rows.getByRole('link', { name: `${account}.tx_000575` }).click();
    await page.getByRole('region', { name: `Transaction ${account}.tx_000575` }).waitFor();
    const story = [
      `10 Jun, 10:43 ${account}.tx_000574 Pending 79.90 EUR`,
      `10 Jun, 10:47 ${account}.tx_000575 this one Completed 79.90 EUR`,
      `11 Jun, 10:03 ${account}.tx_000580 Completed \u221239.95 EUR`,
    ];
    await eventually(() => textsOf(related(page)), story);
    await eventually(() => textsOf(page.locator('#refunds')), ['39.95 refunded, 39.95 left of 79.90 EUR']);
    await eventually(
      () => textsOf(page.locator('.detail .heading').locator('h1, .status, .detail-about')),
      ['Mary Jackson 79.90 EUR', 'Completed', 'Partially refunded', 'order-1575'],
    );
    await eventually(
      () => textsOf(page.locator('dl .transaction-field').filter({ hasText: /Customer|Last 4|Method/ })),
      ['Customer Mary Jackson', 'Method card \u2022\u2022\u2022\u2022 9975'],
    );

    await related(page)
      .getByRole('link', { name: `${account}.tx_000580` })
      .click();
    const payment = page
      .locator('dl .transaction-field', { hasText: 'Related to' })
      .getByRole('link', { name: `${account}.tx_000575` });
    await payment.waitFor();
    await eventually(
      async () => (await textsOf(related(page))).map((text) => text.replace(' this one', '')),
      story.map((text) => text.replace(' this one', '')),
    );
    await payment.click();
    await page.getByRole('region', { name: `Transaction ${account}.tx_000575` }).waitFor();
  },
  demo,
);

const PAYMENT = { createdAtMs: DAY('2026-06-01'), amountMinor: 10_000, merchantReference: 'order-9' };
const refund = (account: string, name: string, fields: Parameters<typeof transaction>[2] = {}) =>
  transaction(account, name, {
    createdAtMs: DAY('2026-06-02'),
    amountMinor: -2500,
    relatedTo: tagged(account, 'paid'),
    ...fields,
  });

const stories = {
  transactions: (account: string) => [
    transaction(account, 'paid', { ...PAYMENT, details: '{"customer":"Ada Lovelace","orderYear":"2026"}' }),
    refund(account, 'back'),
    refund(account, 'open', { status: 'pending', paidAtMs: null, createdAtMs: DAY('2026-06-03') }),
    refund(account, 'dollars', { currencyCode: 'USD', createdAtMs: DAY('2026-06-04') }),
    refund(account, 'second', { amountMinor: 1000, createdAtMs: DAY('2026-06-04') + 1 }),
    refund(account, 'lost', { relatedTo: tagged(account, 'never'), createdAtMs: DAY('2026-06-05') }),
    refund(account, 'again', { relatedTo: tagged(account, 'never'), createdAtMs: DAY('2026-06-06') }),
  ],
};
const { test, it } = pageTests(stories);

test('refunds that are unpaid, in another currency or of another payment do not change what is left of a payment; new ones appear; the payment may be missing', async (window) => {
  const { page, enter, app, account, url } = window;
  await enter(`#/transactions/${account}.paid`);
  const left = (refunded: string, amount: string) =>
    eventually(
      () => textsOf(page.locator('#refunds')),
      [
        `${refunded} refunded, ${amount} left of 100.00 EUR (3 not counted: unpaid, in another currency or with the same sign)`,
      ],
    );
  await left('25.00', '75.00');
  await checkAccessibility(page);
  await record(app.store, [refund(account, 'more', { amountMinor: -500, createdAtMs: DAY('2026-06-07') })]);
  await left('30.00', '70.00');
  await eventually(() => related(page).count(), 6);
  await record(app.store, [refund(account, 'much', { amountMinor: -8000, createdAtMs: DAY('2026-06-08') })]);
  await left('110.00', '\u221210.00');
  await page.locator('.heading').getByText('Refunded', { exact: true }).waitFor();

  await page.goto(`${url}/#/transactions/${account}.lost`);
  await page.getByText(`The payment ${account}.never is not recorded.`).waitFor();
  await eventually(
    async () => (await textsOf(related(page))).map((text) => text.split(' ')[3]),
    [`${account}.lost`, `${account}.again`],
  );
});

it('removed details are neither shown nor found, and the page says when they were removed', async (window) => {
  const { page, enter, app, account, url } = window;
  await enter(`#/transactions/${account}.paid`);
  await page.locator('.detail h1').getByText('Ada Lovelace').waitFor();
  const remove = (reference: string, day: string) => {
    const entry = auditEntry(someStamp(DAY(day)), 'details.removed', account, reference);
    return app.store.removeDetails(account, reference, entry);
  };
  await remove(tagged(account, 'paid'), '2026-06-12');
  await page.reload();
  await page.getByText('Removed for good at 12 Jun 2026, 00:00:00 UTC').waitFor();
  await enterInto(page.getByRole('searchbox'), 'lovelace');
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();

  await page.goto(`${url}/#/transactions?status=pending`);
  await page.getByText('Live').waitFor();
  const details = '{"customer":"Grace Hopper"}';
  await record(app.store, [
    transaction(account, 'new', {
      status: 'pending',
      paidAtMs: null,
      createdAtMs: DAY('2026-06-11'),
      details,
    }),
  ]);
  await page.getByRole('button', { name: /^1 recorded/ }).waitFor();
  await remove(tagged(account, 'new'), '2026-06-13');
  await page.goto(`${url}/#/transactions/${account}.new`);
  await page.getByText('Removed for good at').waitFor();
  assert.equal(await page.getByText('Grace Hopper').count(), 0);
});

async function openColumns(page: Page) {
  const group = page.getByRole('group', { name: 'Columns' });
  if ((await group.count()) === 0) await page.getByRole('button', { name: 'Columns' }).click();
  return group;
}

const headers = (page: Page) => textsOf(page.locator('table.transactions thead th'));

test('files have the columns that are shown, even if the person has chosen none', async (window) => {
  const { page, enter, account } = window;
  await enter();
  await waitForFirstRow(page, `${account}.again`);
  await eventually(async () => (await headers(page)).includes('Customer'), true);
  const savedCustomer = async () => {
    const { bytes } = await savedFile(page, 'Save as CSV');
    return (parse(bytes, { columns: true }) as Record<string, string>[]).at(-1)?.['details.customer'];
  };
  assert.equal(await savedCustomer(), 'Ada Lovelace');
  const [sheet] = readSpreadsheet((await savedFile(page, 'Save as Excel')).bytes);
  assert.equal(sheet?.rows[0]?.at(-1)?.text, 'Customer');
  await enterInto(page.getByRole('searchbox'), 'lovelace');
  await page.getByText('1 transaction found.').waitFor();
  assert.equal(await savedCustomer(), 'Ada Lovelace');
  await (await openColumns(page)).getByRole('checkbox', { name: 'Customer' }).uncheck();
  assert.equal(await savedCustomer(), undefined);
});

test('a person chooses the columns of the list and of both files, even a detail that no row has, and the browser remembers them', async (window) => {
  const { page, enter, account } = window;
  await enter();
  await waitForFirstRow(page, `${account}.again`);
  const choice = await openColumns(page);
  await choice.getByRole('checkbox', { name: 'Customer' }).check();
  await choice.getByRole('checkbox', { name: 'Related to' }).check();
  await choice.getByRole('checkbox', { name: 'Paid' }).uncheck();
  await enterInto(choice.getByLabel('Another detail'), 'Last 4');
  const isRefused = () =>
    choice.getByLabel('Another detail').evaluate((field) => !(field as HTMLInputElement).validity.valid);
  await eventually(isRefused, true);
  await enterInto(choice.getByLabel('Another detail'), 'last4');
  const wanted = [
    'Created',
    'Customer',
    'Payment ID',
    'Your reference',
    'Status',
    'Related to',
    'Last 4',
    'Amount',
  ];
  await eventually(() => headers(page), wanted);

  await page.reload();
  await waitForFirstRow(page, `${account}.again`);
  await eventually(() => headers(page), wanted);
  const paid = page.locator('tbody tr').last();
  await eventually(
    () => textsOf(paid.locator('.column-extra')),
    ['\u2013 related to none', '\u2013 no last 4'],
  );
  await page
    .getByRole('link', { name: `${account}.never` })
    .first()
    .waitFor();

  const rows = parse((await savedFile(page, 'Save as CSV')).bytes, { columns: true }) as Record<
    string,
    string
  >[];
  const fields = [
    'reference',
    'merchantReference',
    'status',
    'amount',
    'currencyCode',
    'paidAt',
    'createdAt',
  ];
  assert.deepEqual(Object.keys(rows[0] as object), [
    ...fields,
    'relatedTo',
    'details.customer',
    'details.last4',
  ]);
  assert.equal(rows.at(-1)?.['details.customer'], 'Ada Lovelace');
  const [sheet] = readSpreadsheet((await savedFile(page, 'Save as Excel')).bytes);
  const cells = sheet?.rows.map((row) => Array.from(row.slice(7), (cell) => cell?.text ?? null));
  assert.deepEqual(cells?.[0], ['Related to', 'Customer', 'Last 4']);
  assert.deepEqual(cells?.[1], [`${account}.never`]);
  assert.deepEqual(cells?.at(-1), [null, 'Ada Lovelace']);
});

test('the column with what is left of a payment, in a list and in both files, agrees with the screen of the payment', async (window) => {
  const { page, enter, account, url, key, requests } = window;
  await enter();
  await waitForFirstRow(page, `${account}.again`);
  const choice = await openColumns(page);
  await choice.getByRole('checkbox', { name: 'Customer' }).uncheck();
  await choice.getByRole('checkbox', { name: 'Related to' }).check();
  await choice.getByRole('checkbox', { name: 'Remaining' }).check();
  const shown = [
    ...['again', 'lost'].map((name) => [name, '']),
    ...['second', 'dollars', 'open', 'back'].map((name) => [name, '75.00']),
    ['paid', ''],
  ];
  await eventually(
    () =>
      page
        .locator('table.transactions tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.querySelector('a.reference')?.textContent?.replace(/^acct-\d+\./, ''),
            row.querySelector<HTMLDataElement>('[data-name="Remaining"] data')?.value ?? '',
          ]),
        ),
    shown,
  );
  requests.length = 0;
  const csv = String((await savedFile(page, 'Save as CSV')).bytes).split('\r\n');
  const response = await fetch(`${url}/v1/transactions.csv?relatedTo=true&spreadsheet=true`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const lines = (await response.text()).split('\r\n').slice(0, -1);
  assert.deepEqual(csv, [
    `${lines[0]},leftOfPayment,leftOfPaymentCurrencyCode`,
    ...lines.slice(1).map((line, index) => `${line},${shown[index]?.[1] ? '75.00,EUR' : ','}`),
    '',
  ]);
  await page.getByText('counts its refunds up to the end of the download').waitFor();
  assert.deepEqual(requests.filter((one) => one.includes('/v1/transactions/')).sort(), [
    `GET ${url}/v1/transactions/${account}.never`,
    `GET ${url}/v1/transactions/${account}.paid`,
    `GET ${url}/v1/transactions/${account}.paid/related`,
  ]);
  const [sheet] = readSpreadsheet((await savedFile(page, 'Save as Excel')).bytes);
  assert.deepEqual(
    sheet?.rows.map((row) => [8, 9].map((index) => row[index]?.number ?? row[index]?.text ?? '')),
    [
      ['Remaining', 'Currency of the remaining amount'],
      ...shown.map(([, left]) => (left ? [left, 'EUR'] : ['', ''])),
    ],
  );
});
