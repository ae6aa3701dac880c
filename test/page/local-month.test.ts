import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { detailTest, enterInto, eventually, pageTest, waitForFirstRow } from '../rig/browser.ts';
import { readSpreadsheet } from '../rig/spreadsheet.ts';
import { transaction } from '../rig/transactions.ts';

/** The first and the last milliseconds of March 2026 in Berlin, whose clocks are set forward in it, and those outside. */
const TIMES: readonly [name: string, createdAt: string][] = [
  ['after', '2026-03-31T22:00:00.000Z'],
  ['last', '2026-03-31T21:59:59.999Z'],
  ['middle', '2026-03-15T12:00:00.000Z'],
  ['first', '2026-02-28T23:00:00.000Z'],
  ['before', '2026-02-28T22:59:59.999Z'],
];

const aroundMarch = (account: string): AccountTransaction[] =>
  TIMES.map(([name, createdAt], index) =>
    transaction(account, name, {
      createdAtMs: Date.parse(createdAt),
      amountMinor: 100 + index,
      // Texts that have to be quoted and guarded like those of the service.
      merchantReference: [`=1+"2"`, '-5', null, 'a, b', '+x'][index] ?? null,
    }),
  );

const MARCH = '#/transactions?from=2026-03-01&to=2026-03-31';
const chooseLocal = (page: Page) => page.getByRole('radio', { name: 'Local (Europe/Berlin)' }).check();
const download = async (page: Page, label: string) => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: label, exact: true }).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
};

pageTest(
  'the month of the local zone is saved as CSV, cut at local midnight, with the bytes of the service and its own sums',
  async ({ page, enter, account, key, url }) => {
    const response = await fetch(`${url}/v1/transactions.csv?spreadsheet=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const [header, , ...lines] = (await response.text()).split(/(?<=\r\n)/);
    await enter(MARCH);
    await waitForFirstRow(page, `${account}.after`);
    await eventually(() => page.getByRole('note').count(), 0);
    await chooseLocal(page);
    await page.getByRole('note').getByText('are UTC days').waitFor();
    const { name, bytes } = await download(page, 'Save March 2026 in Europe/Berlin as CSV');
    assert.equal(name, `${account}_transactions_2026-03_Europe-Berlin.csv`);
    assert.equal(bytes.toString(), [header, ...lines.slice(0, 3)].join(''));
    const region = page.getByRole('region', { name: 'CSV file' });
    await region.getByText(/^3 transactions in/).waitFor();
    await region
      .getByText(
        '3 of the 5 transactions of 2026-02-28 to 2026-03-31 (UTC days) were created in March 2026 in Europe/Berlin: from 2026-02-28 23:00, before 2026-03-31 22:00 UTC.',
      )
      .waitFor();
    await eventually(() => region.locator('data').getAttribute('value'), '3.06');
  },
  { transactions: aroundMarch },
);

detailTest(
  'the month of the local zone is saved as a spreadsheet, whose second sheet says where it was cut',
  async ({ page, enter, account }) => {
    await enter(`${MARCH}&status=completed`);
    await chooseLocal(page);
    const { name, bytes } = await download(page, 'Save March 2026 in Europe/Berlin as Excel');
    assert.equal(name, `${account}_transactions_completed_2026-03_Europe-Berlin.xlsx`);
    const [sheet, totals] = readSpreadsheet(bytes);
    assert.deepEqual(
      sheet?.rows.slice(1).map(([reference]) => reference?.text),
      ['last', 'middle', 'first'].map((one) => `${account}.${one}`),
    );
    const said = totals?.rows.map((cells) => cells.map((cell) => cell?.text ?? cell?.number)) ?? [];
    const find = (field: string) => said.find(([one]) => one === field)?.[1];
    assert.equal(find('Filters'), 'Completed, March 2026 in Europe/Berlin');
    assert.equal(find('Transactions'), '3');
    assert.equal(find('Of the export'), '5');
    const days = (time: string) => String(Date.parse(time) / 86_400_000 + 25_569);
    assert.equal(find('Created from (UTC)'), days('2026-02-28T23:00:00.000Z'));
    assert.equal(find('Created before (UTC)'), days('2026-03-31T22:00:00.000Z'));
    assert.deepEqual(said.at(-1), ['EUR', 'completed', '3', '3.06']);
  },
  { transactions: aroundMarch },
);

/** Times of October 2026, whose clocks are set back in it, and what they are in Zurich. */
const ZURICH: readonly [name: string, createdAt: string, local: string][] = [
  ['last', '2026-10-31T22:59:59.999Z', '2026-10-31T23:59:59.999Z'],
  ['second-two', '2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000Z'],
  ['first-two', '2026-10-25T00:59:59.999Z', '2026-10-25T02:59:59.999Z'],
  ['early', '2026-10-24T22:00:00.001Z', '2026-10-25T00:00:00.001Z'],
  ['first', '2026-09-30T22:06:07.008Z', '2026-10-01T00:06:07.008Z'],
];

detailTest(
  'the spreadsheet of a local month has the local times beside those in UTC, exact across the change of the clocks',
  async ({ page, enter }) => {
    await enter('#/transactions?from=2026-10-01&to=2026-10-31');
    await page.getByRole('radio', { name: 'Local (Europe/Zurich)' }).check();
    const { bytes } = await download(page, 'Save October 2026 in Europe/Zurich as Excel');
    const [header = [], ...rows] = readSpreadsheet(bytes)[0]?.rows ?? [];
    assert.deepEqual(
      header.slice(6).map((cell) => cell?.text),
      ['Created (UTC)', 'Created (Europe/Zurich)'],
    );
    const time = (days = '') => new Date(Math.round((Number(days) - 25_569) * 86_400_000)).toISOString();
    assert.deepEqual(
      rows.map((cells) => cells.slice(6).map((cell) => time(cell?.number))),
      ZURICH.map(([, createdAt, local]) => [createdAt, local]),
    );
    assert.ok(rows.every((cells) => cells[7]?.style === 3 && cells.length === 8));
  },
  {
    transactions: (account) =>
      ZURICH.map(([name, createdAt]) => transaction(account, name, { createdAtMs: Date.parse(createdAt) })),
    context: { timezoneId: 'Europe/Zurich' },
  },
);

detailTest(
  'local times without a whole month offer no month, and neither does a zone that is UTC',
  async ({ page, enter, account, another, url, key }) => {
    await enter('#/transactions?from=2026-03-01&to=2026-03-30');
    await waitForFirstRow(page, `${account}.middle`);
    await chooseLocal(page);
    await page.getByRole('note').getByText('are UTC days').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Europe/Berlin as CSV' }).count(), 0);
    const utc = await another();
    await utc.addInitScript(() => {
      const { resolvedOptions } = Intl.DateTimeFormat.prototype;
      Intl.DateTimeFormat.prototype.resolvedOptions = function resolved() {
        return { ...resolvedOptions.call(this), timeZone: 'UTC' };
      };
    });
    await utc.goto(`${url}/${MARCH}`);
    await enterInto(utc.getByLabel('API key', { exact: true }), key);
    await utc.getByRole('radio', { name: 'Local (UTC)' }).check();
    await utc.getByRole('note').getByText('Times are in UTC').waitFor();
    await eventually(() => utc.getByRole('button', { name: 'March 2026' }).count(), 0);
  },
  { transactions: aroundMarch },
);
