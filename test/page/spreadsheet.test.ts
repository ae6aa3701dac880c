import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { TRANSACTION_FIELDS } from '../../src/ledger/transaction-fields.ts';
import { readSpreadsheet, type SheetCell } from '../rig/data/spreadsheet.ts';
import { DAY, transaction } from '../rig/data/transactions.ts';
import {
  choose,
  detailTest,
  eventually,
  holdExports,
  pageTest,
  pageTests,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { totalsOf } from '../rig/page/page-totals.ts';
import { manyTransactions, name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { pressSave, savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const { test, it } = pageTests({ transactions: pageTransactions });
const regionOf = (page: Page) => page.getByRole('region', { name: 'Excel file' });
const save = (page: Page) => pressSave(page, 'Save as Excel');

async function saved(page: Page, action: Parameters<typeof savedFile>[1] = 'Save as Excel') {
  const { name, bytes } = await savedFile(page, action);
  const shown = `${name}, ${bytes.length} bytes: ${bytes.toString('latin1', 0, 60)}`;
  assert.ok(bytes.includes('PK\x05\x06'), shown);
  return { name, sheets: readSpreadsheet(bytes) };
}

/** A cell's value: its text, the digits of its amount, or its time in UTC. */
function shownBy(cell: SheetCell | undefined): string | null {
  if (cell === undefined) return null;
  if (cell.number === undefined) return cell.text ?? null;
  if (cell.style !== 3) return cell.number;
  return new Date(Math.round((Number(cell.number) - 25_569) * 86_400_000)).toISOString();
}

const HEADER = [
  'Payment ID',
  'Your reference',
  'Status',
  'Amount',
  'Currency',
  'Paid (UTC)',
  'Created (UTC)',
];

test('every cell of a spreadsheet is the value of the API: texts, numbers of two decimals and times in UTC', async (window) => {
  const { page, account, key, url } = window;
  const response = await fetch(`${url}/v1/transactions.ndjson?status=completed`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const lines = (await response.text()).trim().split('\n');
  const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as Record<string, string | null>);
  const hash = createHash('sha256')
    .update(`${lines.slice(0, -1).join('\n')}\n`)
    .digest('hex');
  await openList(window, '#/transactions?status=completed', 2);
  const file = await saved(page);
  assert.equal(file.name, `${account}_transactions_completed.xlsx`);
  const [sheet, totals] = file.sheets;
  assert.ok(sheet !== undefined && totals !== undefined);
  assert.equal(rows.length, 22);
  assert.deepEqual(
    sheet.rows[0]?.map((cell) => cell?.text),
    HEADER,
  );
  const [, ...fields] = TRANSACTION_FIELDS;
  assert.deepEqual(
    sheet.rows.slice(1).map((cells) => Array.from(fields, (_, index) => shownBy(cells[index]))),
    rows.map((row) => fields.map((field) => row[field] ?? null)),
  );
  for (const cells of sheet.rows.slice(1)) {
    assert.ok(cells[3]?.number !== undefined && cells[3].style === 2);
    assert.ok(cells[6]?.number !== undefined && cells[6].style === 3);
    assert.ok(cells[0]?.text !== undefined && cells[0].style === 4);
  }
  const said = totals.rows.map((cells) => cells.map(shownBy));
  const sums = totalsOf(pageTransactions(account)).filter(({ status }) => status === 'completed');
  const find = (field: string) => said.find(([one]) => one === field)?.[1];
  assert.equal(find('Account'), account);
  assert.equal(find('Filters'), 'Completed');
  assert.equal(find('Transactions'), '22');
  assert.equal(find('Checksum of the export'), hash);
  assert.deepEqual(
    said.slice(said.findIndex(([one]) => one === 'Currency') + 1),
    [...sums, ...sums.map((sum) => ({ ...sum, status: 'Net (all that is paid)' }))].map(
      ({ currencyCode, status, count, amount }) => [currencyCode, status, String(count), amount],
    ),
  );
  const region = regionOf(page);
  await region.getByText('Complete file saved, verified').waitFor();
  await region.getByText(/^22 transactions in/).waitFor();
  await eventually(
    async () =>
      (
        await region.locator('data').evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value))
      ).sort(),
    sums.map(({ amount }) => amount).sort(),
  );
});

const DAY_STYLE = 7;

pageTest(
  'a sheet has the sums of each day, currency and status as the service adds them up in the time zone, by creation and by payment, and those of all days',
  async (window) => {
    const { page, account, key, url } = window;
    const totalsOfService = async (query: string) => {
      const response = await fetch(`${url}/v1/totals?${query}&timeZone=Europe/Berlin`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { data } = (await response.json()) as { data: Record<string, string | number>[] };
      return data.map(({ day, currencyCode, status, count, amount }) => [
        ...(day === undefined ? [] : [day]),
        ...[currencyCode, status, String(count), amount],
      ]);
    };
    const days = '2026-06-10&to=2026-06-15';
    await openList(window, `#/transactions?from=${days}&timeZone=Europe/Berlin`);
    for (const [header, query] of [
      ['Created', `from=${days}`],
      ['Paid', `paidFrom=${days.replace('to', 'paidTo')}`],
    ] as const) {
      if (header === 'Paid') {
        await choose(page, /^Period by:/, 'date paid');
        await waitForFirstRow(page, `${account}.${name(2)}`);
      }
      const { sheets } = await saved(page);
      assert.deepEqual(
        sheets.map((sheet) => sheet.name),
        ['Transactions', 'Totals', 'By day'],
      );
      const [head, ...lines] = sheets[2]?.rows ?? [];
      assert.deepEqual(
        head?.map((cell) => cell?.text),
        [`${header} (Europe/Berlin)`, 'Currency', 'Status', 'Transactions', 'Amount'],
      );
      const end = lines.findIndex((cells) => cells.length === 0);
      assert.deepEqual(
        lines.slice(0, end).map(([day, ...cells]) => {
          assert.equal(day?.style, DAY_STYLE);
          const date = new Date((Number(day.number) - 25_569) * 86_400_000).toISOString();
          return [date.slice(0, 10), ...cells.map(shownBy)];
        }),
        await totalsOfService(`${query}&by=day`),
      );
      const ofAll = lines.slice(end + 1).map((cells) => cells.map(shownBy));
      assert.ok(ofAll.every(([first]) => first === 'All days'));
      const sums = ofAll
        .map(([, ...cells]) => cells)
        .filter(([, status]) => status !== 'Net (all that is paid)');
      assert.deepEqual(sums, await totalsOfService(query));
      // The filter buttons cover only the days.
      assert.match(sheets[2]?.xml ?? '', new RegExp(`<autoFilter ref="A1:E${end + 1}"/>`));
    }
  },
  {
    // In UTC, one transaction was created and paid before midnight; in Berlin, after midnight.
    transactions: (account) => [
      ...pageTransactions(account),
      transaction(account, 'night', {
        createdAtMs: DAY('2026-06-11') - 1_800_000,
        paidAtMs: DAY('2026-06-12') - 1_800_000,
      }),
    ],
  },
);

it('a spreadsheet whose script cannot be loaded is not saved, and the page offers to load it again', async (window) => {
  const { page, account } = window;
  await page.route('**/page/*/spreadsheet.*.js', (route) => route.abort());
  await openList(window);
  await save(page);
  await regionOf(page).getByText('Nothing was saved: This part of the page could not be loaded').waitFor();
  await page.unroute('**/page/*/spreadsheet.*.js');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
  await saved(page);
});

detailTest(
  'a text like a formula and a reference of digits stay texts, and a sum that a spreadsheet would round is a text',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.0012345678901234567890`);
    const { sheets } = await saved(page);
    const cells = sheets[0]?.rows.slice(1).map(([reference, merchant]) => [reference?.text, merchant?.text]);
    assert.deepEqual(cells, [
      [`${account}.0012345678901234567890`, '=HYPERLINK("http://x","y")'],
      [`${account}.other`, ' <b>&amp; _x0041_ '],
    ]);
    assert.deepEqual(sheets[0]?.rows[1]?.[3], { text: '9999999999999.99', style: 5 });
    const sum = sheets[1]?.rows.find(([currency]) => currency?.text === 'EUR');
    assert.deepEqual(sum?.[3], { text: '19999999999999.98', style: 5 });
    assert.match(sheets[1]?.xml ?? '', /more than 14 digits is a text/);
  },
  {
    transactions: (account) => [
      transaction(account, '0012345678901234567890', {
        merchantReference: '=HYPERLINK("http://x","y")',
        amountMinor: 999_999_999_999_999,
      }),
      transaction(account, 'other', {
        merchantReference: ' <b>&amp; _x0041_ ',
        amountMinor: 999_999_999_999_999,
        createdAtMs: DAY('2020-01-01'),
      }),
    ],
  },
);

detailTest(
  'a spreadsheet of several pieces starts again after its download was cut, and has every row once, in its order',
  async ({ page, enter, account, faults, app, requests }) => {
    const release = holdExports(faults, 20);
    await enter();
    await save(page);
    await regionOf(page)
      .getByText(/[1-9][\d,]* of 3,500 transactions/)
      .waitFor();
    const { sheets } = await saved(page, () => {
      app.server.server.closeAllConnections();
      release();
    });
    assert.equal(requests.filter((one) => one.includes('/v1/transactions.ndjson')).length, 2);
    assert.deepEqual(
      sheets[0]?.rows.slice(1).map(([reference, merchant]) => [reference?.text, merchant?.text]),
      manyTransactions(account).map(({ reference, merchantReference }) => [reference, merchantReference]),
    );
  },
  { transactions: manyTransactions },
);

it('a spreadsheet needs no totals of the service', async (window) => {
  const { page, account } = window;
  await openList(window, '#/transactions?status=completed', 2);
  await page.route('**/v1/totals?*', (route) => route.fulfill({ status: 400 }));
  const { name, sheets } = await saved(page);
  assert.equal(name, `${account}_transactions_completed.xlsx`);
  assert.equal(sheets[0]?.rows.length, 23);
});

it('more transactions than a sheet has rows are not loaded; the page says so and offers CSV', async (window) => {
  const { page, enter, requests } = window;
  await page.route('**/v1/totals?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (body.data.length > 0) body.data[0].count = 1_048_576;
    await route.fulfill({ response, json: { ...body, data: body.data.slice(0, 1) } });
  });
  await enter('#/transactions?currency=EUR');
  await save(page);
  const region = regionOf(page);
  await region.getByText('More transactions than a spreadsheet has rows').waitFor();
  await region.getByText('There are 1,048,576, and a sheet has room for 1,048,575.').waitFor();
  await checkAccessibility(page);
  assert.ok(!requests.some((one) => one.includes('.ndjson')));
  const file = await savedFile(page, () => region.getByRole('button', { name: 'Save as CSV' }).click());
  assert.match(file.name, /_transactions_EUR\.csv$/);
});
