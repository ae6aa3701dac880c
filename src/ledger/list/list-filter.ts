import { DAY_MS, formatDay, parseDay } from '../../values/calendar.ts';
import type { ParameterFault } from '../../values/parameter-fault.ts';
import type { ParameterFaultCode } from '../../values/query-parameters.ts';
import type { Transaction } from '../transaction.ts';

/** The restrictions of a list, as the caller wrote them; null for none. */
export interface ListFilter {
  status: string | null;
  currency: string | null;
  /** First UTC day of createdAt, YYYY-MM-DD. */
  from: string | null;
  /** Last UTC day of createdAt, YYYY-MM-DD. */
  to: string | null;
  merchantReference: string | null;
}

/** The filters that a field of the transaction must equal: all but the range of days. */
export type EqualityFilter = Exclude<keyof ListFilter, 'from' | 'to'>;

/** The field that each of these filters is compared with. */
export const EQUALITY_FILTERS = {
  merchantReference: 'merchantReference',
  status: 'status',
  currency: 'currencyCode',
} as const satisfies Record<EqualityFilter, keyof Transaction>;

export const FILTER_PARAMETERS = [
  'status',
  'currency',
  'from',
  'to',
  'merchantReference',
] as const satisfies (keyof ListFilter)[];
export const LIST_PARAMETERS = [...FILTER_PARAMETERS, 'cursor'] as const;
export type ListParameter = (typeof LIST_PARAMETERS)[number];

export const NO_FILTER: ListFilter = {
  status: null,
  currency: null,
  from: null,
  to: null,
  merchantReference: null,
};

export const MAX_RANGE_DAYS = 90;

type ListFaultCode =
  | 'invalid_status'
  | 'invalid_currency'
  | 'invalid_date'
  | 'date_range_inverted'
  | 'date_range_too_long'
  | 'invalid_merchant_reference'
  | 'cursor_malformed'
  | 'cursor_expired'
  | 'cursor_filter_mismatch'
  | ParameterFaultCode;

export type ListFault = ParameterFault<ListFaultCode>;

/** The fault of a date range that can have any length, or undefined. The days must be valid or null. */
export function checkRangeOrder({
  from,
  to,
}: Pick<ListFilter, 'from' | 'to'>): ParameterFault<'date_range_inverted'> | undefined {
  // Days in the form YYYY-MM-DD have the order of their texts.
  if (from === null || to === null || from <= to) return undefined;
  return {
    parameter: 'from',
    code: 'date_range_inverted',
    detail: `from (${from}) is after to (${to}). Send the earlier day as from.`,
  };
}

/** The fault of the date range of a list, or undefined. The days must be valid or null. */
export function checkDateRange({ from, to }: Pick<ListFilter, 'from' | 'to'>): ListFault | undefined {
  const first = from === null ? undefined : parseDay(from);
  const last = to === null ? undefined : parseDay(to);
  if (first === undefined || last === undefined) return undefined;
  const days = last - first;
  if (days > MAX_RANGE_DAYS) {
    return {
      parameter: 'to',
      code: 'date_range_too_long',
      detail:
        `The range from ${from} to ${to} is ${days} days long; at most ${MAX_RANGE_DAYS} are allowed. ` +
        `With from=${from}, to can be at most ${formatDay(first + MAX_RANGE_DAYS)}.`,
    };
  }
  return checkRangeOrder({ from, to });
}

/**
 * The half-open range of createdAt for a filter's UTC days, which are both inclusive.
 *
 * Units: milliseconds since 1970-01-01T00:00:00Z; null if that end is open.
 */
export function createdAtRange({ from, to }: Pick<ListFilter, 'from' | 'to'>): {
  fromMs: number | null;
  beforeMs: number | null;
} {
  const first = from === null ? undefined : parseDay(from);
  const last = to === null ? undefined : parseDay(to);
  return {
    fromMs: first === undefined ? null : first * DAY_MS,
    beforeMs: last === undefined ? null : (last + 1) * DAY_MS,
  };
}
