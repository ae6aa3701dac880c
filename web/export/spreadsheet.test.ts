import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import { cellText, readSpreadsheet } from '../../test/rig/data/spreadsheet.ts';
import { RowTotals } from './row-totals.ts';
import { Spreadsheet } from './spreadsheet.ts';

const CREATED = '2026-10-25T01:00:00.000Z';

test('a workbook has times of UTC and of the zone, long amounts as texts, its sums with the net of what is paid, and the sums of each day', async () => {
  const spreadsheet = new Spreadsheet('store-1', {
    filter: { from: '2026-06-15', to: '2026-06-15', by: 'payment' },
    zone: 'Europe/Berlin',
    format: 'xlsx',
  });
  const totals = new RowTotals();
  for (const [reference, status, amount, paidAt] of [
    ['0012', 'completed', '1234.50', '2026-06-14T22:30:00.000Z'],
    ['back', 'refunded', '-34.51', '2026-06-15T22:00:00.000Z'],
    ['again', 'completed', '0.02', '2026-06-15T21:59:59.999Z'],
    ['long', 'pending', '9999999999999.99', null],
  ] as const) {
    const transaction = {
      ...{ reference, merchantReference: '=1+1', amount, currencyCode: 'EUR', paidAt },
      ...{ status, createdAt: CREATED },
    };
    spreadsheet.add(transaction);
    totals.add(transaction);
  }
  const manifest = { startedAt: '2026-06-16T08:00:00.000Z', sha256: 'a'.repeat(64) } as ExportManifest;
  const { rows, data, net } = totals;
  const content = await spreadsheet.end({ manifest, rows, totals: data, net });
  const sheets = readSpreadsheet(new Uint8Array(await content.arrayBuffer()));
  const [sheet, about, days] = sheets.map((one) => one.rows.map((row) => Array.from(row, cellText)));
  assert.deepEqual(sheet?.toSpliced(2, 2), [
    [
      ...['Payment ID', 'Your reference', 'Status', 'Amount', 'Currency', 'Paid (UTC)', 'Created (UTC)'],
      ...['Paid (Europe/Berlin)', 'Created (Europe/Berlin)'],
    ],
    [
      ...['0012', '=1+1', 'completed', '1234.50', 'EUR', '2026-06-14T22:30:00.000Z', CREATED],
      ...['2026-06-15T00:30:00.000Z', '2026-10-25T02:00:00.000Z'],
    ],
    [
      ...['long', '=1+1', 'pending', '9999999999999.99', 'EUR', '', CREATED],
      ...['', '2026-10-25T02:00:00.000Z'],
    ],
  ]);
  assert.deepEqual(about?.slice(0, 6), [
    ['Account', 'store-1'],
    ['Filters', 'Paid on 15 Jun 2026 (Europe/Berlin)'],
    ['Days', 'Paid, days of Europe/Berlin, both included'],
    ['Transactions', '4'],
    ['Exported at (UTC)', manifest.startedAt],
    ['Checksum of the export', 'a'.repeat(64)],
  ]);
  assert.match(about?.at(-1)?.[0] ?? '', /more than 14 digits is a text/);
  const sums = [
    ['EUR', 'completed', '2', '1234.52'],
    ['EUR', 'pending', '1', '9999999999999.99'],
    ['EUR', 'refunded', '1', '-34.51'],
    ['EUR', 'Net (all paid)', '3', '1200.01'],
  ];
  assert.deepEqual(about?.slice(7, -2), [['Currency', 'Status', 'Transactions', 'Amount'], ...sums]);
  assert.deepEqual(days, [
    ['Paid (Europe/Berlin)', 'Currency', 'Status', 'Transactions', 'Amount'],
    ['2026-06-15', 'EUR', 'completed', '2', '1234.52'],
    ['2026-06-16', 'EUR', 'refunded', '1', '-34.51'],
    ['2026-10-25', 'EUR', 'pending', '1', '9999999999999.99'],
    [],
    ...sums.map((sum) => ['All days', ...sum]),
  ]);
  assert.match(sheets[2]?.xml ?? '', /<autoFilter ref="A1:E4"\/>/);
});
