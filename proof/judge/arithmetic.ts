import type { Filter, Given, Row, TotalsRow } from './history.ts';

/** The judge has its own rules for amounts, days, order and filters. */

export const FIELDS = [
  'merchantReference',
  'status',
  'amount',
  'currencyCode',
  'paidAt',
  'createdAt',
] as const;

/** Leaves out `details`, because they can be removed from a transaction later. */
export const bareOf = (row: Row | Given, reference = row.reference): string =>
  JSON.stringify([...FIELDS.map((name) => row[name]), reference, row.relatedTo ?? null]);

export const detailsOf = ({ details }: { details?: Readonly<Record<string, string>> }): string =>
  details === undefined ? '' : JSON.stringify(Object.entries(details).sort());

function centsOf(amount: string): bigint {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  const cents = BigInt(whole + decimals.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dayOf(time: string, timeZone = 'UTC'): string {
  if (timeZone === 'UTC') return time.slice(0, 10);
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  formats.set(timeZone, format);
  return format.format(new Date(time));
}

export function localOf(time: string, timeZone: string): string {
  const name = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(new Date(time))
    .find(({ type }) => type === 'timeZoneName')?.value;
  const offset = name === 'GMT' ? '+00:00' : (name ?? '').replace('GMT', '');
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const aheadMs = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return `${new Date(Date.parse(time) + aheadMs).toISOString().slice(0, -1)}${offset}`;
}

const isPart = (text: string, of: string): boolean => plain(of).includes(plain(text));

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export function matches(row: Row, filter: Filter): boolean {
  const { status, currency, merchantReference, from, to, paidFrom, paidTo, timeZone, relatedTo } = filter;
  const { amount, amountFrom, amountTo, text } = filter;
  const created = dayOf(row.createdAt, timeZone);
  const paid = row.paidAt === null ? undefined : dayOf(row.paidAt, timeZone);
  const cents = centsOf(row.amount);
  return (
    (status === undefined || row.status === status) &&
    (relatedTo === undefined || row.relatedTo === relatedTo) &&
    (currency === undefined || row.currencyCode === currency) &&
    (merchantReference === undefined || row.merchantReference === merchantReference) &&
    (from === undefined || created >= from) &&
    (to === undefined || created <= to) &&
    (paidFrom === undefined || (paid !== undefined && paid >= paidFrom)) &&
    (paidTo === undefined || (paid !== undefined && paid <= paidTo)) &&
    (amount === undefined || cents === centsOf(amount)) &&
    (amountFrom === undefined || cents >= centsOf(amountFrom)) &&
    (amountTo === undefined || cents <= centsOf(amountTo)) &&
    (text === undefined ||
      [row.reference, row.merchantReference ?? '', ...Object.values(row.details ?? {})].some((one) =>
        isPart(text, one),
      ))
  );
}

/** References are ASCII, so JavaScript compares them in the order of their bytes, as the service does. */
export function newestFirst(a: Row, b: Row): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.reference === b.reference ? 0 : a.reference > b.reference ? -1 : 1;
}

export function totalsOf(rows: readonly Row[], filter: Filter, by: 'day' | 'month' | null): TotalsRow[] {
  const sums = new Map<string, { row: Row; period: string; count: number; cents: bigint }>();
  for (const row of rows) {
    if (!matches(row, filter)) continue;
    const period =
      by === null ? '' : dayOf(row.createdAt, filter['timeZone']).slice(0, by === 'day' ? 10 : 7);
    const key = `${period} ${row.currencyCode} ${row.status}`;
    const sum = sums.get(key) ?? { row, period, count: 0, cents: 0n };
    sums.set(key, { ...sum, count: sum.count + 1, cents: sum.cents + centsOf(row.amount) });
  }
  return [...sums.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { row, period, count, cents }]) => ({
      ...(by !== null && { [by]: period }),
      currencyCode: row.currencyCode,
      status: row.status,
      count,
      amount: written(cents),
    }));
}

function written(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads the cells of a line as in RFC 4180. No text of a transaction contains a line break. */
export function cells(line: string): string[] {
  const found = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)];
  return found.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
