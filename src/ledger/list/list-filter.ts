import { dayOrNull } from '../../../values/calendar.ts';
import { formatDay, parseDay } from '../../../values/days.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { type EqualityFilter, FILTERS, type FilterName } from '../../../values/interface/filters.ts';
import type { ParameterFault } from '../../../values/parameter-fault.ts';
import type { ParameterFaultCode } from '../../../values/query-parameters.ts';
import { startOfDayMs, UTC } from '../../../values/time-zone.ts';

import type { Transaction } from '../transaction.ts';
import { COLUMNS } from '../transaction-columns.ts';

/** A value of a filter is a text, which equals no number. */
export type TextField = {
  [Field in keyof Transaction]: Transaction[Field] extends string | null ? Field : never;
}[keyof Transaction];

const FIELDS_OF: Record<FilterName, TextField | null> = FILTERS;

/** The filters that a field of the transaction must equal. Statements have their values in this order. */
export const EQUALITY_FILTERS = Object.entries(FIELDS_OF).flatMap(([name, field]) =>
  field === null ? [] : [{ name: name as EqualityFilter, field, column: COLUMNS[field] }],
);

export const FILTER_PARAMETERS = Object.keys(FILTERS) as readonly FilterName[];

/** The restrictions of a list, as the caller wrote them; null for none. */
export type ListFilter = Record<FilterName, string | null>;

export const NO_FILTER = Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, null])) as ListFilter;

/** What the filters by equality must equal; null for all. */
export type EqualityValues = Readonly<Record<EqualityFilter, string | null>>;

/** The filters by equality of a query that can have more. */
export const equalityOf = (query: EqualityValues): EqualityValues =>
  Object.fromEntries(EQUALITY_FILTERS.map(({ name }) => [name, query[name]])) as EqualityValues;

/** A half-open range of createdAt, in milliseconds since 1970-01-01T00:00:00Z; null if that end is open. */
export interface TimeRange {
  fromMs: number | null;
  beforeMs: number | null;
}
export type ListParameter = FilterName | 'cursor';

/** Whether a filter that is sent again, with a cursor or a resumed export, is the one of before. UTC is the time zone of a request without one. */
export const isSameFilter = (name: string, sent: string, before: string | null): boolean =>
  sent === (before ?? (name === 'timeZone' ? UTC : null));

export const MAX_RANGE_DAYS = 90;

/** The codes of the faults of filters, and of lists, whose cursors have some too. */
export const FILTER_ERRORS = [
  'invalid_status',
  'invalid_currency',
  'invalid_date',
  'invalid_time_zone',
  'date_range_too_long',
  'date_range_inverted',
  'invalid_merchant_reference',
] as const satisfies readonly ErrorCode[];
export type FilterFaultCode = (typeof FILTER_ERRORS)[number];

export const LIST_ERRORS = [
  ...FILTER_ERRORS,
  'cursor_filter_mismatch',
  'cursor_malformed',
  'cursor_expired',
] as const satisfies readonly ErrorCode[];

type ListFaultCode = (typeof LIST_ERRORS)[number] | ParameterFaultCode;

export type ListFault = ParameterFault<ListFaultCode>;

/**
 * The fault of a date range that can have any length, or undefined. The days must be valid or null. `first` and `last` name the
 * parameters.
 */
export function checkRangeOrder(
  { from, to }: Pick<ListFilter, 'from' | 'to'>,
  [first, last]: readonly [first: string, last: string] = ['from', 'to'],
): ParameterFault<'date_range_inverted'> | undefined {
  // Days in the form YYYY-MM-DD have the order of their texts.
  if (from === null || to === null || from <= to) return undefined;
  return {
    parameter: first,
    code: 'date_range_inverted',
    detail: `${first} (${from}) is after ${last} (${to}). Send the earlier day as ${first}.`,
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
        `to (${to}) is ${days} days after from (${from}); at most ${MAX_RANGE_DAYS} are allowed in a list, ` +
        'and any number in totals and in an export (transactions.csv, transactions.ndjson). ' +
        `With from=${from}, to can be at most ${formatDay(first + MAX_RANGE_DAYS)}.`,
    };
  }
  return checkRangeOrder({ from, to });
}

/** The range of createdAt for a filter's days, which are both inclusive. */
export const timeRange = ({ from, to, timeZone }: Pick<ListFilter, 'from' | 'to' | 'timeZone'>): TimeRange =>
  rangeOfDays({ fromDay: dayOrNull(from), toDay: dayOrNull(to), timeZone });

interface Days {
  fromDay: number | null;
  toDay: number | null;
  timeZone: string | null;
}

/** The range of days that are counted from 1970-01-01, both inclusive; null is open. */
export const rangeOfDays = ({ fromDay, toDay, timeZone }: Days): TimeRange => ({
  fromMs: fromDay === null ? null : startOfDayMs(timeZone, fromDay),
  beforeMs: toDay === null ? null : startOfDayMs(timeZone, toDay + 1),
});
