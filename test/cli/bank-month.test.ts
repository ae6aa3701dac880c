import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { dayInZone } from '../../src/values/time-zone.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { importedService } from '../rig/service/imported-service.ts';

const ZONE = 'Europe/Berlin';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LINES = 3095;
const [FIRST, LAST] = [Date.UTC(2026, 9, 1) / DAY_MS, Date.UTC(2026, 9, 31) / DAY_MS];

interface Payment {
  order: string;
  cents: number;
  status: string;
  createdAtMs: number;
  paidAtMs: number;
  /** The working day after the day of payment, on which the bank books it. */
  booked: number;
}

function bookedOn(paidAtMs: number): number {
  let day = dayInZone(ZONE, paidAtMs) + 1;
  // 1970-01-01 was a Thursday.
  while ([2, 3].includes(((day % 7) + 7) % 7)) day++;
  return day;
}

/** Payments around October, of which so many as the file has lines are booked in October. Some orders have two. */
function payments(random: Random): Payment[] {
  const made: Payment[] = [];
  for (let booked = 0; booked < LINES; ) {
    const before = made.at(-1);
    const order = before && random.chance(0.03) ? before.order : `order-${100_000 + made.length}`;
    const paidAtMs = FIRST * DAY_MS + random.integer(-3 * 24 * HOUR_MS, 34 * 24 * HOUR_MS);
    const one: Payment = {
      order,
      cents: random.chance(0.3) ? 14_900 : random.integer(100, 400_000),
      status: random.pick(['completed', 'completed', 'completed', 'refunded', 'disputed']),
      createdAtMs: paidAtMs - random.integer(1000, 30 * HOUR_MS),
      paidAtMs,
      booked: bookedOn(paidAtMs),
    };
    made.push(one);
    if (isOfMonth(one)) booked++;
  }
  return made;
}

const isOfMonth = ({ booked }: Payment) => booked >= FIRST && booked <= LAST;

/** The purpose as a bank writes it: in capitals, with other words and numbers, and broken into lines of 27 characters. */
function purposeOf(order: string, random: Random): string {
  const written = random.pick([
    order,
    order.toUpperCase(),
    order.replace('-', ' ').toUpperCase(),
    `NR.${order}`,
  ]);
  const text = random.pick([
    `SVWZ+RECHNUNG ${written} VOM 03.10.2026 DANKE`,
    `EREF+NOTPROVIDED KREF+77${random.integer(100_000, 999_999)} ${written}/KUNDE 4711`,
    written,
    `Ueberweisung Shop ${written}`,
  ]);
  return text.replaceAll(/.{27}(?=.)/g, '$& ');
}

const dateOf = (day: number) =>
  new Date(day * DAY_MS).toISOString().slice(0, 10).split('-').reverse().join('.');
const euros = (cents: number) =>
  new Intl.NumberFormat('de', { minimumFractionDigits: 2 }).format(cents / 100);

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

  /** Single payments of single orders in the middle of the month, so that each is exactly one difference. */
  const orders = Object.groupBy(all, ({ order }) => order);
  const single = all.filter(
    (one) => orders[one.order]?.length === 1 && one.booked >= FIRST + 5 && one.booked <= LAST - 10,
  );
  const [leftOut, changed] = [new Set(single.slice(0, 3)), new Set(single.slice(3, 7))];
  const rows = all
    .filter((one) => isOfMonth(one) && !leftOut.has(one))
    .map((one) => ({ ...one, cents: one.cents + (changed.has(one) ? 1 : 0) }))
    .concat(
      ['GEHALT MUELLER', 'order-999999', 'ENTGELTABSCHLUSS 10482'].map((order) => ({
        ...(all[0] as Payment),
        ...{ order, cents: -999, booked: FIRST + 3 },
      })),
    )
    .map((one) => `${dateOf(one.booked)};"${purposeOf(one.order, random)}";${euros(one.cents)};EUR`);
  const file = `Buchungstag;Verwendungszweck;Betrag;W\u00e4hrung\r\n${rows.join('\r\n')}\r\n`;
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

  test('the statuses of a comparison are those that the service has, and a date that can be two days says what decides', async () => {
    const wrong = await service.run([...args, '--status', 'completed', 'refundet'], { stdin: file });
    assert.equal(wrong.status, 2, wrong.stderr);
    assert.match(wrong.stderr, /status.*refundet.*refunded/);
    const unclear = file.replace(/\r\n\d\d\.\d\d\.2026/, '\r\n05/06/2026');
    const refused = await service.run(args, { stdin: unclear });
    assert.match(
      refused.stderr,
      /^line 2, paidAt: "05\/06\/2026" can be 2026-06-05 or 2026-05-06; add --date-order dmy/,
    );
    const days = await service.run([...args, '--days', '40', '--paid-from', '2026-13-01'], { stdin: file });
    assert.match(days.stderr, /Give a whole number from 0 to 31/);
  });
});
