import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMPARABLE_FIELDS,
  type ComparableField,
  comparedValue,
  KEY_FIELDS,
  type KeyField,
} from '../../client/reconcile/compared-fields.ts';
import type { Difference } from '../../client/reconcile/find-differences.ts';
import type { ShownTransaction } from '../../src/ledger/transaction-fields.ts';
import { reconcile } from '../rig/data/reconcile.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';

/*
 * Random files against random transactions. The oracle compares values by its own rules, and finds by
 * augmenting paths how many lines can equal a transaction.
 */

/** Those that files of this test can have. */
const FIELDS: readonly ComparableField[] = [...COMPARABLE_FIELDS, 'details.customer'];
const KEYS_OF_FILES: readonly KeyField[] = [...KEY_FIELDS, 'details.customer'];

const CASES = inTier({ short: 150, long: 1500 });

/** A line as the oracle knows it: its values, independent of their form in the file. */
type Line = Partial<Record<ComparableField, string | null>>;

const KEYS = ['order-1', 'order-2', 'order,"3"', 'größe 😀', '\uE000', '😀'];
const TIMES = [
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T12:30:00.500Z',
  '2026-03-02T00:00:00.000Z',
];
const AMOUNTS = ['0.00', '12.00', '12.50', '-7.10', '9999999999999.99'];

function randomTransaction(random: Random): ShownTransaction {
  return {
    reference: random.pick(['r1', 'r2', 'r3', 'R1', 'r-4']),
    merchantReference: random.chance(0.2) ? null : random.pick(KEYS),
    status: random.pick(['pending', 'completed']),
    amount: random.pick(AMOUNTS),
    currencyCode: random.pick(['EUR', 'USD']),
    paidAt: random.chance(0.3) ? null : random.pick(TIMES),
    createdAt: random.pick(TIMES),
    ...(random.chance(0.5) && { relatedTo: random.pick(['r1', 'r2']) }),
    ...(random.chance(0.7) && {
      details: { ...(random.chance(0.8) && { customer: random.pick(KEYS) }), last4: '4242' },
    }),
  };
}

function spelledAmount(amount: string, random: Random, decimalComma: boolean): string {
  const whole = amount.replace(/^(-?)(\d)/, (_, sign: string, digit: string) =>
    random.chance(0.2) ? `${sign || '+'}00${digit}` : sign + digit,
  );
  const short = random.chance(0.5)
    ? whole.replace(/\.?0+$/, (zeros) => (zeros.includes('.') ? '' : zeros))
    : whole;
  const long = random.chance(0.2) && short === whole ? `${whole}00` : short;
  return decimalComma ? long.replace('.', ',') : long;
}

function spelledTime(time: string, random: Random): string {
  if (time.length === 10 || random.chance(0.4)) return time;
  const offsetMinutes = random.pick([0, 60, -330, 345]);
  const local = new Date(Date.parse(time) + offsetMinutes * 60_000).toISOString().slice(0, -1);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const offset = Math.abs(offsetMinutes);
  return `${local.replace('T', random.pick(['T', ' ']))}${offsetMinutes < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}

interface RandomFile {
  csv: string;
  lines: Line[];
  columns: string[];
  decimalComma: boolean;
}

/** A file with the columns of `fields` in any order, some under other names, and with foreign columns. */
function randomFile(random: Random, lines: Line[], fields: readonly ComparableField[]): RandomFile {
  const delimiter = random.pick([',', ';', '\t']);
  const decimalComma = random.chance(0.3);
  const order = [...fields, null, null].sort(() => (random.chance(0.5) ? 1 : -1));
  const columns: string[] = [];
  const header = order.map((field, at) => {
    if (field === null) return `foreign ${at}`;
    if (random.chance(0.5)) return field;
    columns.push(`Spalte = ${at}=${field}`);
    return `Spalte = ${at}`;
  });
  const cell = (text: string) =>
    text.includes(delimiter) || text.includes('"') || random.chance(0.1)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const body = lines.map((line) =>
    order.map((field) => {
      if (field === null) return cell(random.pick(['', 'x', '1,5', 'a;b\tc']));
      const value = line[field] ?? '';
      if (value === '') return '';
      if (field === 'amount') return cell(spelledAmount(value, random, decimalComma));
      return cell(field.endsWith('At') ? spelledTime(value, random) : value);
    }),
  );
  const rows = [header.map(cell), ...body].map((cells) => cells.join(delimiter));
  const end = random.pick(['\n', '\r\n']);
  return {
    csv: `${random.chance(0.3) ? '\uFEFF' : ''}${rows.join(end)}${end}`,
    lines,
    columns,
    decimalComma,
  };
}

const isEqualValue = (theirs: string | null, ours: string | null) =>
  theirs === ours ||
  (theirs?.length === 10 && /^\d{4}-\d\d-\d\d$/.test(theirs) && ours?.startsWith(`${theirs}T`));

const isEqual = (line: Line, transaction: ShownTransaction) =>
  FIELDS.every(
    (field) => !(field in line) || isEqualValue(line[field] ?? null, comparedValue(transaction, field)),
  );

/** The number of lines that can be paired with an equal transaction at once. */
function mostPairs(lines: readonly Line[], transactions: readonly ShownTransaction[]): number {
  const pairedLine = new Map<number, number>();
  const augment = (line: number, seen: Set<number>): boolean => {
    for (const [at, transaction] of transactions.entries()) {
      if (seen.has(at) || !isEqual(lines[line] as Line, transaction)) continue;
      seen.add(at);
      const other = pairedLine.get(at);
      if (other === undefined || augment(other, seen)) {
        pairedLine.set(at, line);
        return true;
      }
    }
    return false;
  };
  return lines.filter((_, line) => augment(line, new Set())).length;
}

/** True if one line has a day where another has a time, and the other way round. */
function isOpposed(lines: readonly Line[]): boolean {
  const forms = new Set(
    lines
      .filter(({ createdAt, paidAt }) => createdAt !== undefined && paidAt != null)
      .map(({ createdAt, paidAt }) => `${createdAt?.length === 10} ${paidAt?.length === 10}`),
  );
  return forms.has('true false') && forms.has('false true');
}

const count = <Item>(items: readonly Item[], name: (item: Item) => string | null) => {
  const counts = new Map<string | null, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return counts;
};

function check(
  file: RandomFile,
  transactions: readonly ShownTransaction[],
  key: KeyField,
  found: Difference[],
): void {
  const numbers = new Set<number>();
  for (const difference of found) {
    const { kind, line, file: values, account, fields } = difference;
    if (line !== null) {
      assert.ok(!numbers.has(line), 'each line is in one difference');
      numbers.add(line);
      // Line 1 is the header.
      assert.deepEqual(values, { [key]: null, ...file.lines[line - 2] });
    }
    if (kind !== 'differing') continue;
    assert.ok(comparedValue(account, key) !== null && values[key] === comparedValue(account, key));
    const wrong = FIELDS.filter(
      (field) => field in values && !isEqualValue(values[field] ?? null, comparedValue(account, field)),
    );
    assert.ok(wrong.length > 0);
    assert.deepEqual(fields, wrong);
  }
  const keys = new Set([
    ...file.lines.map((line) => line[key] ?? null),
    ...transactions.map((one) => comparedValue(one, key)),
  ]);
  for (const one of keys) {
    const lines = file.lines.filter((line) => (line[key] ?? null) === one);
    const ours = transactions.filter((transaction) => comparedValue(transaction, key) === one);
    const pairs = mostPairs(lines, ours);
    const differing = one === null ? 0 : Math.min(lines.length - pairs, ours.length - pairs);
    const those = found.filter(
      ({ file: values, account }) =>
        (values === null ? account && comparedValue(account, key) : values[key]) === one,
    );
    const kinds = count(those, ({ kind }) => kind);
    assert.deepEqual(
      ['differing', 'missing_here', 'missing_there'].map((kind) => kinds.get(kind) ?? 0),
      [differing, lines.length - pairs - differing, ours.length - pairs - differing],
    );
    // Lines and transactions that are in no difference can be paired completely.
    const reported = those.flatMap(({ account }) => (account === null ? [] : [JSON.stringify(account)]));
    const equalTransactions = ours.filter((transaction) => {
      const at = reported.indexOf(JSON.stringify(transaction));
      if (at !== -1) reported.splice(at, 1);
      return at === -1;
    });
    const equalLines = lines.filter((line) => !numbers.has(file.lines.indexOf(line) + 2));
    assert.deepEqual(reported, [], 'every reported transaction is in the account');
    assert.equal(mostPairs(equalLines, equalTransactions), pairs);
    assert.deepEqual([equalLines.length, equalTransactions.length], [pairs, pairs]);
  }
}

for (const key of KEYS_OF_FILES) {
  test(`by ${key}: all planted differences are found, and none is invented`, async (t) => {
    const random = new Random(seed);
    const seen = { differing: 0, missing_here: 0, missing_there: 0, equal: 0, refused: 0 };
    // With a few seeds, a rare kind comes after the last case only.
    const isMissing = () => Object.values(seen).includes(0);
    for (let one = 0; one < CASES || (isMissing() && one < 10 * CASES); one++) {
      const others = FIELDS.filter((field) => field !== key && random.chance(0.5));
      const fields: ComparableField[] = [key, ...(others.length === 0 ? ['amount' as const] : others)];
      const transactions = Array.from({ length: random.integer(0, 8) }, () => randomTransaction(random));
      const [createdDays, paidDays] = [random.pick([0, 0.5, 1]), random.pick([0, 0.5, 1])];
      const written = Array.from({ length: random.integer(0, 8) }, () => {
        const from =
          transactions.length > 0 && random.chance(0.7)
            ? random.pick(transactions)
            : randomTransaction(random);
        const line: Line = {};
        for (const field of fields)
          line[field] = comparedValue(random.chance(0.1) ? randomTransaction(random) : from, field);
        if (line.createdAt && random.chance(createdDays)) line.createdAt = line.createdAt.slice(0, 10);
        if (line.paidAt && random.chance(paidDays)) line.paidAt = line.paidAt.slice(0, 10);
        return line;
      });
      // A row without a value is not a line.
      const lines = written.filter((line) => Object.values(line).some((value) => value !== null));
      const file = randomFile(random, lines, fields);
      const { csv, columns, decimalComma } = file;
      const { faults, differences } = await reconcile({ csv, transactions, key, columns, decimalComma });
      assert.equal(faults.length > 0, isOpposed(lines), `case ${one}: ${faults}`);
      if (faults.length > 0) {
        seen.refused++;
        continue;
      }
      check(file, transactions, key, differences);
      for (const { kind } of differences) seen[kind]++;
      seen.equal += lines.length - differences.filter(({ line }) => line !== null).length;
    }
    t.diagnostic(JSON.stringify(seen));
    for (const [name, times] of Object.entries(seen)) assert.ok(times > 0, `${name}: ${times}`);
  });
}
