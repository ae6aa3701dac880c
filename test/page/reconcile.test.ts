import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { eventually, fragmentOf, holdExports, pageTest, pageTests } from '../rig/page/browser.ts';
import { savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const october = {
  transactions: (account: string) =>
    ['09-30', '10-05', '10-10', '10-12', '10-31'].map((day, index) =>
      transaction(account, `tx-${index}`, {
        merchantReference: `order-${2001 + index}`,
        amountMinor: 14_900,
        createdAtMs: DAY(`2026-${day}`) - 30 * 3_600_000,
        paidAtMs: DAY(`2026-${day}`) + 12 * 3_600_000,
      }),
    ),
};
/** The bank books the payment of 30 September on 1 October, and the payment of 31 October in November. */
const BANK_FILE = `Buchungstag;Verwendungszweck;Betrag;W\u00e4hrung\r
01.10.2026;"SVWZ+RECHNUNG ORDER-2001 VOM 30.09.2026 DANKE";149,00;EUR\r
07.10.2026;"EREF+NOTPROVIDED NR.order-20 02/KUNDE 4711";149,00;EUR\r
13.10.2026;"Ueberweisung ORDER 2004";149,01;EUR\r
13.10.2026;"ENTGELTABSCHLUSS 10482";-9,99;EUR\r
`;
const OCTOBER = '#/reconcile?from=2026-10-01&to=2026-10-31&by=payment';

const drop = (page: Page, content: string | Buffer, name = 'bank.csv') =>
  page
    .locator('.drop-input')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content as string) });

const ordersOf = async (page: Page, kind: string) =>
  (await page.getByRole('table', { name: kind }).locator('tbody .column-key').allInnerTexts()).sort();

pageTest(
  'a dropped bank file of a month is compared by the day of payment, on the screen and as a file, and nothing is uploaded',
  async ({ page, enter, requests }) => {
    await enter('#/transactions?from=2026-10-01&to=2026-10-31&by=payment&timeZone=Europe/Berlin');
    await page.getByRole('link', { name: 'Bank file' }).click();
    await eventually(() => fragmentOf(page), OCTOBER);
    await drop(page, Buffer.from(BANK_FILE, 'latin1'));
    await page
      .locator('.help')
      .getByText(/^In 3 of the first 4 lines, \u201cVerwendungszweck\u201d names one/)
      .waitFor();
    const roles = await page
      .locator('.reconcile-preview select')
      .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
    assert.deepEqual(roles, ['paidAt', 'merchantReference', 'amount', 'currencyCode']);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: '3 differences' }).waitFor();
    assert.deepEqual(await ordersOf(page, 'Only in your transactions'), ['order-2003']);
    assert.deepEqual(await ordersOf(page, 'Only in the file'), ['ENTGELTABSCHLUSS 10482']);
    assert.deepEqual(await ordersOf(page, 'Differing'), ['order-2004']);
    const sums = page.getByRole('table', { name: 'Sums of the comparison' });
    await sums.getByRole('row', { name: /^Differing 1 .* 1 .* 0\.01 EUR$/ }).waitFor();

    const saved = await savedFile(page, 'Save the differences as CSV');
    assert.match(saved.name, /_differences_2026-10-01_2026-10-31\.csv$/);
    const lines = saved.bytes.toString().trimEnd().split('\r\n');
    assert.equal(lines.length, 4);
    assert.match(lines[0] ?? '', /^\ufeffdifference,line,fields,file_reference,file_merchantReference,/);
    const sent = requests.filter((request) => !request.startsWith('GET '));
    assert.deepEqual(sent, [], 'nothing is uploaded');
  },
  october,
);

const few = {
  transactions: (account: string) =>
    ['first', 'second', 'third'].map((name, index) =>
      transaction(account, name, {
        merchantReference: `order-${1001 + index}`,
        amountMinor: 1000 * (index + 1),
        createdAtMs: DAY(`2026-10-0${index + 1}`),
      }),
    ),
};
const { test } = pageTests(few);

test('an unreadable line is reported with line and column, and left out only if the user says so; separate debit and credit columns are one amount', async (window) => {
  const { page, enter } = window;
  await enter(OCTOBER);
  await drop(
    page,
    'Date,Details,Paid out,Paid in\n1 Oct 2026,order-1001,,10.00\n2 Oct 2026,order-1002,,2O.00\n3 Oct 2026,order-1003\n4 Oct 2026,FEE,1.50,\n',
  );
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const alert = page.getByRole('alert');
  const unreadable = [
    'Line 3, column \u201cPaid in\u201d: \u201c2O.00\u201d is not an amount',
    'Line 4 does not have as many columns as the first line',
  ];
  await eventually(() => alert.getByRole('listitem').allInnerTexts(), unreadable);
  await alert.getByRole('button', { name: 'Leave 2 lines out and compare' }).click();
  await page.getByRole('heading', { name: '3 differences' }).waitFor();
  const left = page.getByRole('region', {
    name: 'Left out, because they cannot be read: 2 lines of the file.',
  });
  await eventually(() => left.getByRole('listitem').allInnerTexts(), unreadable);
  assert.deepEqual(await ordersOf(page, 'Only in your transactions'), ['order-1002', 'order-1003']);
  const missingHere = page.getByRole('table', { name: 'Only in the file' });
  await eventually(() => missingHere.locator('td.column-amount').allInnerTexts(), ['\u22121.50 EUR']);
});

test('a repeated line is reported as a second line with its reference; a file that is chosen again is compared with what was recorded since then', async (window) => {
  const { page, enter, app, account } = window;
  await enter(OCTOBER);
  const lines = ['01.10.2026;order-1001;10,00', '01.10.2026;order-1001;10,00', '02.10.2026;order-9999;1,00'];
  const file = ['Tag;Text;Wert', ...lines, ''].join('\n');
  await drop(page, file);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: '4 differences' }).waitFor();
  const missingHere = page.getByRole('table', { name: 'Only in the file' });
  await eventually(
    () => missingHere.locator('tbody .column-key').allInnerTexts(),
    ['order-1001\n\na second line with this reference', 'order-9999'],
  );
  await checkAccessibility(page);
  const late = { merchantReference: 'order-9999', amountMinor: 100, createdAtMs: DAY('2026-10-02') };
  await record(app.store, [transaction(account, 'late', late)]);
  await drop(page, file);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: '3 differences' }).waitFor();
  await page.locator('#announcements').getByText('3 differences').waitFor({ state: 'attached' });
  await drop(page, '', 'empty.csv');
  await page.locator('.days-problem').waitFor();
  await eventually(() => page.locator('.drop-name').innerText(), 'empty.csv');
  await eventually(() => page.locator('#announcements').innerText(), '');
});

test('with only the keyboard: a file that is not a table has a message that says what to do, columns are changed, and the comparison is cancelled', async (window) => {
  const { page, enter, faults } = window;
  await enter(OCTOBER);
  await drop(page, 'PK\u0003\u0004', 'bank.xlsx');
  await page.getByText('This is a workbook. Save it as CSV first').waitFor();
  const release = holdExports(faults, 0);
  await drop(page, 'Tag;Text;Wert\n01.10.2026;order-1001;10,00\n');
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await cancel.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Cancelled. Nothing was compared.').waitFor();
  release();
  await drop(page, 'Tag;Text;Wert\n01.10.2026;order-1001;10,00\n');
  await page.locator('#announcements').getByText('In 1 of the first 1 line').waitFor({ state: 'attached' });
  const column = page.getByLabel('Column \u201cWert\u201d is');
  await column.focus();
  await column.selectOption('');
  await page.getByLabel('Column \u201cTag\u201d is').selectOption('');
  await page.getByText('Say for at least one more column what it is').waitFor();
  await column.selectOption('amount');
  await column.press('Enter');
  await page.getByRole('button', { name: 'Compare', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '2 differences' }).waitFor();
  await eventually(
    () => page.evaluate(() => document.activeElement?.textContent ?? ''),
    '2 differences',
    'the focus is on the result',
  );
});
