import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSpreadsheet } from '../../test/rig/data/spreadsheet.ts';
import { Workbook } from './workbook.ts';
import {
  amountCell,
  type Cell,
  countCell,
  dayCell,
  emptyCell,
  isExactAmount,
  sheetEnd,
  sheetRow,
  sheetStart,
  textCell,
  timeCell,
} from './worksheet.ts';

async function read(cells: readonly Cell[]) {
  const workbook = new Workbook(['A & B']);
  workbook.beginSheet();
  workbook.write(sheetStart({ widths: cells.map(() => 10), isTable: false }));
  workbook.write(sheetRow(1, cells));
  workbook.write(sheetEnd(1, cells.length));
  const [sheet] = readSpreadsheet(new Uint8Array(await (await workbook.end()).arrayBuffer()));
  assert.equal(sheet?.name.replace('&amp;', '&'), 'A & B');
  return sheet?.rows[0] ?? [];
}

test('a text stays the same text, whatever its characters are', async () => {
  const texts = [
    '=HYPERLINK("http://x","y")',
    '0012345678901234567890',
    ' two  spaces ',
    '<b>&amp;"\'</b>',
    'Zażółć 日本 \u{1f600}',
    '_x0041_',
    '_x005F_x0041_',
    'a\tb\r\nc\u0001\u007f\u0085',
    '\ud800 \udc00',
    '\ufffe\uffff',
  ];
  assert.deepEqual(
    (await read(texts.map(textCell))).map((cell) => cell?.text),
    texts,
  );
});

test('an amount is the same decimal number, or a text if a spreadsheet would round it', async () => {
  const amounts = ['12.50', '-0.05', '0.00', '999999999999.99', '1000000000000.00', '-1000000000000.01'];
  assert.deepEqual(await read(amounts.map(amountCell)), [
    { number: '12.50', style: 2 },
    { number: '-0.05', style: 2 },
    { number: '0.00', style: 2 },
    { number: '999999999999.99', style: 2 },
    { text: '1000000000000.00', style: 5 },
    { text: '-1000000000000.01', style: 5 },
  ]);
  assert.ok(isExactAmount('999999999999.99') && !isExactAmount('1000000000000.00'));
});

test('a time is a number of days in UTC, exact to the millisecond, and a text before March 1900', async () => {
  const [first, leap, exact, early, last] = await read(
    [
      '1900-03-01T00:00:00.000Z',
      '2024-02-29T12:00:00.000Z',
      '2026-06-15T08:30:05.123Z',
      '1900-02-28T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
    ].map(timeCell),
  );
  assert.equal(first?.number, '61');
  assert.equal(leap?.number, '45351.5');
  const backMs = (days: string | undefined) => Math.round((Number(days) - 25_569) * 86_400_000);
  assert.equal(new Date(backMs(exact?.number)).toISOString(), '2026-06-15T08:30:05.123Z');
  assert.equal(new Date(backMs(last?.number)).toISOString(), '9999-12-31T23:59:59.999Z');
  assert.equal(early?.text, '1900-02-28T23:59:59.999Z');
});

test('a day is a whole number of days, and a text before March 1900', async () => {
  const [day, early] = await read(['2026-06-15', '1900-02-28'].map(dayCell));
  assert.deepEqual([day, early?.text], [{ number: '46188', style: 7 }, '1900-02-28']);
});

test('a number of transactions is a number, and an empty cell is none', async () => {
  const cells = await read([countCell(1_048_575), emptyCell, textCell('after')]);
  assert.deepEqual(cells[0], { number: '1048575', style: 6 });
  assert.ok(!(1 in cells));
  assert.equal(cells[2]?.text, 'after');
});
