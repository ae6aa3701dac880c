import { isCurrency } from './currencies.ts';
import type { Fault } from './problem.ts';
import { addDays, daysBetween, formatDay, isTimeZone, parseDay } from './times.ts';
import { type Transaction, withClockOf } from './transaction.ts';

/** The filters of a list, as they were given. */
export type Filter = {
  status?: string;
  currency?: string;
  from?: string;
  to?: string;
  timeZone?: string;
  merchantReference?: string;
};

/** The filters of totals, of the list and of exports. */
export const FILTER_NAMES = ['status', 'currency', 'from', 'to', 'timeZone', 'merchantReference'] as const;

/** What an absent filter means, where that is a value. */
export const DEFAULTS: Filter = { timeZone: 'UTC' };

const MAX_RANGE_DAYS = 90;

/** Reads the filters among the values of a query, and adds their faults to `faults`. */
export function readFilter(
  values: Map<string, string>,
  statuses: Map<string, unknown>,
  faults: Fault[],
): Filter {
  const filter: Filter = {};
  for (const name of FILTER_NAMES) {
    const value = values.get(name);
    if (value === undefined) continue;
    const fault = checkValue(name, value, statuses);
    if (fault === undefined) filter[name] = value;
    else faults.push({ parameter: name, ...fault });
  }
  return filter;
}

function checkValue(
  name: keyof Filter,
  value: string,
  statuses: Map<string, unknown>,
): Omit<Fault, 'parameter'> | undefined {
  const given = JSON.stringify(value);
  if (name === 'status') {
    if (statuses.has(value)) return undefined;
    return { code: 'invalid_status', detail: `${given} is not one of ${[...statuses.keys()].join(', ')}` };
  }
  if (name === 'currency') {
    if (isCurrency(value)) return undefined;
    const upper = value.toUpperCase();
    const hint = isCurrency(upper) ? `: did you mean ${upper}?` : '';
    return { code: 'invalid_currency', detail: `${given} is not an active code of ISO 4217${hint}` };
  }
  if (name === 'merchantReference') {
    if (/^[^\p{Cc}\uFFFD]{1,255}$/u.test(value)) return undefined;
    return { code: 'invalid_merchant_reference', detail: 'merchantReference has 1 to 255 characters' };
  }
  if (name === 'timeZone') {
    if (isTimeZone(value)) return undefined;
    return { code: 'invalid_time_zone', detail: `${given} is not a name of the IANA time zone database` };
  }
  if (parseDay(value) !== undefined) return undefined;
  return { code: 'invalid_date', detail: `${given} is not a day of the form YYYY-MM-DD` };
}

/** A range with two bounds must not be inverted, nor longer than 90 days. */
export function checkRange({ from, to }: Filter): Fault[] {
  const [fromMs, toMs] = [parseDay(from ?? ''), parseDay(to ?? '')];
  if (fromMs === undefined || toMs === undefined) return [];
  if (fromMs > toMs) {
    return [{ parameter: 'from', code: 'date_range_inverted', detail: `from ${from} is after to ${to}` }];
  }
  const days = daysBetween(fromMs, toMs);
  if (days <= MAX_RANGE_DAYS) return [];
  const largest = formatDay(addDays(fromMs, MAX_RANGE_DAYS));
  const detail = `the range is ${days} days long, and ${MAX_RANGE_DAYS} at most: the largest to is ${largest}`;
  return [{ parameter: 'to', code: 'date_range_too_long', detail }];
}

/** Returns a function that says whether a transaction passes the filter. Both days are inclusive, and of the time zone. */
export function matcher(filter: Filter): (transaction: Transaction) => boolean {
  const { status, currency, from, to, timeZone, merchantReference } = filter;
  const fromMs = from === undefined ? -Infinity : (parseDay(from) ?? -Infinity);
  const endMs = to === undefined ? Infinity : addDays(parseDay(to) ?? Infinity, 1);
  const matches = (transaction: Transaction) =>
    (status === undefined || transaction.status === status) &&
    (currency === undefined || transaction.currencyCode === currency) &&
    (merchantReference === undefined || transaction.merchantReference === merchantReference) &&
    transaction.createdAtMs >= fromMs &&
    transaction.createdAtMs < endMs;
  return (transaction) => matches(withClockOf(timeZone, transaction));
}
