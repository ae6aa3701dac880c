import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { cellText, readSpreadsheet } from '../rig/data/spreadsheet.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { type PageWindow, pageTest } from '../rig/page/browser.ts';
import { savedFile } from '../rig/page/saved-file.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';

const ZONE = 'Europe/Berlin';
const HOUR_MS = 3_600_000;

interface Payment {
  name: string;
  order: string | null;
  status: string;
  cents: number;
  currency: string;
  createdAtMs: number;
  paidAtMs: number | null;
}

const days = new Intl.DateTimeFormat('sv', { timeZone: ZONE });
const dayOf = (timeMs: number) => days.format(timeMs);
const money = (cents: number) => (cents / 100).toFixed(2);

const MONTH = '2026-03';
const [FROM, TO] = [`${MONTH}-01`, `${MONTH}-31`];

function generated(): Payment[] {
  const random = new Random(seed);
  const firstMs = Date.parse('2026-02-27T00:00:00Z');
  return Array.from({ length: inTier({ short: 400, long: 4000 }) }, (_, index) => {
    const status = random.pick([
      'completed',
      'completed',
      'completed',
      'refunded',
      'disputed',
      'failed',
      'pending',
    ]);
    const createdAtMs = firstMs + random.integer(0, 36 * 24 * HOUR_MS);
    const isBack = status === 'refunded' || status === 'disputed';
    const isPaid = isBack || status === 'completed';
    return {
      ...{ name: `p${index}`, order: random.chance(0.1) ? null : `order-${index}`, status, createdAtMs },
      cents: (isBack ? -1 : 1) * random.pick([0, 1, 4990, random.integer(2, 900_000_000_000)]),
      currency: random.pick(['EUR', 'USD', 'JPY', 'KWD']),
      paidAtMs: isPaid ? createdAtMs + random.pick([0, 1000, 40 * HOUR_MS]) : null,
    };
  });
}

const ALL = generated();

type By = 'creation' | 'payment';
const timeOf = (one: Payment, by: By) => (by === 'creation' ? one.createdAtMs : one.paidAtMs);

const ofMonth = (known: readonly Payment[], by: By) =>
  known
    .filter((one) => {
      const timeMs = timeOf(one, by);
      return timeMs !== null && dayOf(timeMs).startsWith(MONTH);
    })
    .sort((one, other) => other.createdAtMs - one.createdAtMs || (one.name < other.name ? 1 : -1));

function sums(payments: readonly Payment[], groupOf: (one: Payment) => string): string[] {
  const groups = new Map<string, { count: number; cents: number }>();
  for (const one of payments) {
    const { count, cents } = groups.get(groupOf(one)) ?? { count: 0, cents: 0 };
    groups.set(groupOf(one), { count: count + 1, cents: cents + one.cents });
  }
  return [...groups].map(([name, { count, cents }]) => `${name} ${count} ${money(cents)}`).sort();
}

const byStatus = ({ currency, status }: Payment) => `${currency} ${status}`;

async function audit({ page, url, key, account }: PageWindow, known: readonly Payment[], by: By) {
  const month = ofMonth(known, by);
  const totals = async (query: string) => {
    const range = by === 'creation' ? `from=${FROM}&to=${TO}` : `paidFrom=${FROM}&paidTo=${TO}`;
    const response = await fetch(`${url}/v1/totals?${range}&timeZone=${ZONE}${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data }: { data: Record<string, string>[] } = await response.json();
    return data
      .map(({ day, currencyCode, status, count, amount }) =>
        [...(day === undefined ? [] : [day]), currencyCode, status, count, amount].join(' '),
      )
      .sort();
  };
  const ofDay = (one: Payment) => `${dayOf(timeOf(one, by) as number)} ${byStatus(one)}`;
  assert.deepEqual(await totals(''), sums(month, byStatus), 'the totals');
  assert.deepEqual(await totals('&by=day'), sums(month, ofDay), 'the totals of each day');

  const chosen = by === 'creation' ? '' : '&by=payment';
  await page.goto(`${url}/#/transactions?from=${FROM}&to=${TO}${chosen}&timeZone=${ZONE}`);
  const time = (timeMs: number | null) => (timeMs === null ? '' : new Date(timeMs).toISOString());
  const values = month.map((one) => [
    ...[`${account}.${one.name}`, one.order ?? '', one.status, money(one.cents), one.currency],
    ...[time(one.paidAtMs), time(one.createdAtMs)],
  ]);
  const rows: Record<string, string>[] = parse((await savedFile(page, 'Save as CSV')).bytes, {
    columns: true,
  });
  assert.deepEqual(
    rows.map((row) =>
      ['reference', 'merchantReference', 'status', 'amount', 'currencyCode', 'paidAt', 'createdAt'].map(
        (field) => row[field],
      ),
    ),
    values,
    'the CSV file',
  );
  const sheets = readSpreadsheet((await savedFile(page, 'Save as Excel')).bytes);
  const [rowsOfSheet = [], totalsOfSheet = [], daysOfSheet = []] = sheets.map((sheet) =>
    sheet.rows.map((row) => Array.from(row, cellText)),
  );
  assert.deepEqual(
    rowsOfSheet.slice(1).map((cells) => cells.slice(0, 7)),
    values,
    'the rows of the workbook',
  );
  const paid = month.filter(({ paidAtMs }) => paidAtMs !== null);
  const sumsAndNet = [
    ...sums(month, byStatus),
    ...sums(paid, ({ currency }) => `${currency} Net (all paid)`),
  ];
  const head = totalsOfSheet.findIndex(([first]) => first === 'Currency');
  assert.deepEqual(
    totalsOfSheet.slice(head + 1).map((cells) => cells.join(' ')),
    sumsAndNet,
    'the totals of the workbook',
  );
  const sumsOfDays = sums(month, ofDay);
  assert.deepEqual(
    daysOfSheet.slice(1).map((cells) => cells.join(' ')),
    [...sumsOfDays, '', ...sumsAndNet.map((sum) => `All days ${sum}`)],
    'the days of the workbook',
  );
  assert.match(sheets[2]?.xml ?? '', new RegExp(`<autoFilter ref="A1:E${sumsOfDays.length + 1}"/>`));
}

pageTest(
  'the sums of a month that an accountant computes equal the totals, the days and both files, even after late recordings',
  async (window) => {
    const { app, account, enter } = window;
    const recordAll = (payments: readonly Payment[]) =>
      record(
        app.store,
        payments.map(({ name, order, cents, currency, ...one }) =>
          transaction(account, name, {
            ...one,
            ...{ merchantReference: order, amountMinor: cents, currencyCode: currency },
          }),
        ),
      );
    const early = ALL.filter((_, index) => index % 5 !== 0).map((one, index) =>
      index % 7 === 0 ? { ...one, status: 'pending', paidAtMs: null } : one,
    );
    await enter();
    await recordAll(early);
    await audit(window, early, 'creation');
    await recordAll(ALL);
    for (const by of ['creation', 'payment'] as const) await audit(window, ALL, by);
  },
);
