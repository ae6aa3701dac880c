import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { dayInZone } from '../../src/values/time-zone.ts';
import { bankFile, DAY_MS, FIRST, HOUR_MS, LAST, LINES, payments, ZONE } from '../rig/data/bank-month.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { importedService } from '../rig/service/imported-service.ts';

describe("a bank's month by day of payment", () => {
  const random = new Random(seed);
  const all = payments(random);
  const account = all.map((one, index) =>
    csvLine({
      reference: `tx_${String(index).padStart(6, '0')}`,
      merchantReference: one.order,
      status: one.status,
      amount: (one.cents / 100).toFixed(2),
      paidAt: new Date(one.paidAtMs).toISOString(),
      createdAt: new Date(one.createdAtMs).toISOString(),
    }),
  );
  const unpaid = Array.from({ length: 200 }, (_, index) =>
    csvLine({
      reference: `open_${index}`,
      merchantReference: `order-${900_000 + index}`,
      status: random.pick(['pending', 'failed']),
      paidAt: '',
      createdAt: new Date(FIRST * DAY_MS + index * HOUR_MS).toISOString(),
    }),
  );
  const service = importedService(csvFile(...account, ...unpaid));
  writeFileSync(`${service.folder}/.env`, 'STATUSES=refunded:paid,disputed:paid,failed:unpaid\n');

  const { file, leftOut, changed } = bankFile(all, random);
  const columns = [
    'Buchungstag=paidAt',
    'Verwendungszweck=merchantReference',
    'Betrag=amount',
    'W\u00e4hrung=currencyCode',
  ];
  const args = [
    ...[
      'reconcile',
      '-',
      '--by',
      'merchantReference',
      '--contains',
      '--decimal-comma',
      '--days',
      '3',
      '--json',
    ],
    ...columns.flatMap((column) => ['--column', column]),
    ...['--paid-from', '2026-10-01', '--paid-to', '2026-10-31', '--time-zone', ZONE],
  ];

  test(`${LINES} lines with ten differences: exactly these are reported, and what the next month's file can have`, async () => {
    const { status, stdout, stderr } = await service.run(args, { stdin: file });
    assert.equal(status, 1, stderr);
    const found = jsonLines(stdout);
    const ofKind = (kind: string) => found.filter(({ difference }) => difference === kind);
    assert.deepEqual(
      ofKind('missing_there')
        .map(({ account: one }) => one.merchantReference)
        .sort(),
      [...leftOut].map(({ order }) => order).sort(),
    );
    assert.deepEqual(
      ofKind('differing')
        .map(({ account: one, fields }) => [one.merchantReference, fields])
        .sort(),
      [...changed].map(({ order }) => [order, ['amount']]).sort(),
    );
    assert.equal(ofKind('missing_here').length, 3);
    assert.equal(found.length, 10);
    assert.match(
      stderr,
      /^Compared 3,095 lines with 3,095 transactions: 3,088 equal, 3 missing here .*, 3 missing there .*, 4 differing\.$/m,
    );
    const lastDays = all.filter(
      (one) =>
        dayInZone(ZONE, one.paidAtMs) <= LAST &&
        dayInZone(ZONE, one.paidAtMs) > LAST - 3 &&
        one.booked > LAST,
    );
    assert.match(
      stderr,
      new RegExp(
        `^${lastDays.length} transactions of the last days without a line, which can be in the next file: store-1.tx_`,
        'm',
      ),
    );
  });
});
