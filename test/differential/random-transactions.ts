import type { ListFilter } from '../../src/ledger/list/list-filter.ts';
import { NO_OPTIONAL_FIELDS, type Transaction } from '../../src/ledger/transaction.ts';
import { decimal } from '../model/transactions.ts';
import type { Random } from '../rig/run/random.ts';

/** As the setting has it. */
export const STATUSES = 'refunded:paid,failed:unpaid';

/** Around a change of the clocks, and some far away. */
const DAYS = [
  ...Array.from({ length: 28 }, (_, day) => `2026-03-${String(day + 4).padStart(2, '0')}`),
  ...['1969-12-31', '1970-01-01', '2010-11-07', '2026-01-01', '2026-06-15', '2026-06-16', '2027-01-01'],
];
const FILTER_DAYS = ['2026-03-01', '2026-03-04', '2026-03-08', '2026-03-20', '2026-03-29', '2026-04-02'];
const TIMES = [
  '00:00:00.000',
  '12:00:00.000',
  '12:00:00.001',
  '23:59:59.999',
  '04:30:00.000',
  '23:00:00.000',
];
const TIME_ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'America/Havana', 'Asia/Kolkata'],
  ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'],
];
/** Days of 23 and 25 hours, with the moments at which they begin and end. */
const LONG_AND_SHORT_DAYS = [
  { day: '2026-03-29', timeZone: 'Europe/Berlin', begin: '2026-03-28T23:00Z', end: '2026-03-29T22:00Z' },
  { day: '2026-03-08', timeZone: 'America/New_York', begin: '2026-03-08T05:00Z', end: '2026-03-09T04:00Z' },
  { day: '2010-11-07', timeZone: 'America/St_Johns', begin: '2010-11-07T02:30Z', end: '2010-11-08T03:30Z' },
];
const CURRENCIES = ['EUR', 'USD', 'JPY'];
const AMOUNTS = [0, 1, -1, 2450, -300, 120_000, 999_999_999_999_999, -999_999_999_999_999];
const TEXTS = [
  ...['order-1', 'order-2', 'a, "b"', '=1+1', 'größer 😀&=', "O'Neill", 'ORDER-1', ' order-1 '],
  'long text '.repeat(25).trim(),
];

const isPaid = (status: string) => status === 'completed' || status === 'refunded';

const withStatus = (random: Random, one: Transaction, status: string): Transaction => ({
  ...one,
  status,
  paidAtMs: isPaid(status) ? one.createdAtMs + random.pick([0, 1, 60_000, 86_400_000]) : null,
});

const randomStatus = (random: Random) =>
  random.pick(['pending', 'pending', 'pending', 'completed', 'completed', 'completed', 'refunded', 'failed']);

function randomTime(random: Random): number {
  if (random.chance(0.75)) return Date.parse(`${random.pick(DAYS)}T${random.pick(TIMES)}Z`);
  const { begin, end } = random.pick(LONG_AND_SHORT_DAYS);
  return Date.parse(random.pick([begin, end])) - random.pick([0, 0, 1, 1800_000, 3600_000]);
}

export function randomTransaction(random: Random, reference: string): Transaction {
  const one = {
    reference,
    merchantReference: random.chance(0.3) ? null : random.pick(TEXTS),
    status: 'pending',
    amountMinor: random.chance(0.5) ? random.pick(AMOUNTS) : random.integer(-5000, 100_000),
    currencyCode: random.pick(CURRENCIES),
    paidAtMs: null,
    createdAtMs: randomTime(random),
    ...NO_OPTIONAL_FIELDS,
    relatedTo: random.chance(0.2) ? otherThan(reference, random) : null,
    details: random.chance(0.5) ? randomDetails(random, {}) : null,
  };
  return withStatus(random, one, randomStatus(random));
}

const NAMES = ['customer', 'last4', 'a1'];

/** Some details in any order, with those that are given. */
function randomDetails(random: Random, given: Readonly<Record<string, string>>): string {
  const names = NAMES.filter((name) => name in given || random.chance(0.5));
  if (names.length === 0) names.push('last4');
  if (random.chance(0.5)) names.reverse();
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name] ?? random.pick(TEXTS)])));
}

/** A file that has details does not say that they were removed. */
const withDetails = (details: string | null) => ({
  details,
  ...(details !== null && { detailsRemovedAtMs: null }),
});

/** A recorded transaction in a final status, sometimes with more details. */
export const finalVersion = (random: Random, recorded: Transaction): Transaction => ({
  ...withStatus(random, recorded, random.pick(['completed', 'refunded', 'failed'])),
  ...(random.chance(0.3) && withDetails(randomDetails(random, JSON.parse(recorded.details ?? '{}')))),
});

/** The fields of a recorded transaction, but one. */
export function withOneDifference(random: Random, recorded: Transaction): Transaction {
  const field = random.pick([
    ...(['merchantReference', 'amountMinor', 'currencyCode', 'createdAtMs', 'relatedTo', 'details'] as const),
  ]);
  const { details, ...other } = randomTransaction(random, recorded.reference);
  if (field === 'details') return { ...recorded, ...withDetails(details) };
  return { ...recorded, [field]: other[field] };
}

/** A recorded transaction once more: the same, its next status, or with something else. */
export function laterVersion(random: Random, recorded: Transaction): Transaction {
  if (random.chance(0.3)) return recorded;
  if (random.chance(0.3)) return finalVersion(random, recorded);
  if (random.chance(0.6)) return withStatus(random, recorded, randomStatus(random));
  return withOneDifference(random, recorded);
}

export function randomFilter(random: Random): ListFilter {
  const maybe = <Value>(probability: number, values: readonly Value[]) =>
    random.chance(probability) ? random.pick(values) : null;
  const { day, timeZone } = random.pick(LONG_AND_SHORT_DAYS);
  if (random.chance(0.15))
    return { status: null, currency: null, merchantReference: null, from: day, to: day, timeZone };
  const [one, other] = [maybe(0.3, FILTER_DAYS), maybe(0.3, FILTER_DAYS)];
  const isInverted = one !== null && other !== null && one > other;
  return {
    status: maybe(0.3, ['pending', 'completed', 'refunded', 'failed']),
    currency: maybe(0.3, CURRENCIES),
    merchantReference: maybe(0.2, TEXTS),
    from: isInverted ? other : one,
    to: isInverted ? one : other,
    timeZone: maybe(0.4, TIME_ZONES),
  };
}

/** A moment of some day after which all that is archived was created, or part of it. */
export const randomArchiveDay = (random: Random): string =>
  random.pick(['2026-03-10', '2026-03-18', '2026-03-26', '2026-06-14', '2026-06-14']);

export type SearchTerms = Partial<
  Record<'amount' | 'amountFrom' | 'amountTo' | 'text' | 'paidFrom' | 'paidTo', string>
>;

const inOtherCase = (text: string) =>
  text.replace(/[A-Za-z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

export function randomTerms(random: Random, rows: readonly Transaction[]): SearchTerms {
  const known = rows.length === 0 ? undefined : random.pick(rows);
  const terms: SearchTerms = {};
  if (known !== undefined && random.chance(0.25)) {
    const texts: string[] = Object.values(JSON.parse(known.details ?? '{}'));
    return { text: inOtherCase((texts[0] ?? known.merchantReference ?? known.reference).slice(0, 20)) };
  }
  if (random.chance(0.4)) terms.amount = decimal(known?.amountMinor ?? random.pick(AMOUNTS));
  else if (random.chance(0.5)) {
    const [one, other] = [random.pick(AMOUNTS), random.pick(AMOUNTS)];
    terms.amountFrom = decimal(Math.min(one, other));
    if (random.chance(0.7)) terms.amountTo = decimal(Math.max(one, other));
  }
  if (random.chance(0.3)) {
    const text = random.pick(['order', 'ORDER-1', 'r1', 'long', '"b"', 'neill', known?.reference ?? 'none']);
    terms.text = text.length < 3 ? 'shop' : text;
  }
  if (random.chance(0.3)) terms.paidFrom = random.pick(FILTER_DAYS);
  if (random.chance(0.3))
    terms.paidTo = random.pick(FILTER_DAYS.filter((day) => day >= (terms.paidFrom ?? '')));
  return Object.keys(terms).length === 0 ? { text: 'order' } : terms;
}

/** A transaction of the same account that is related to this one, never itself. */
function otherThan(reference: string, random: Random): string | null {
  const other = `${reference.split('.')[0]}.r${random.integer(1, 4)}`;
  return other === reference ? null : other;
}
