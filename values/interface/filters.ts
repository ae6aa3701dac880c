import type { WholeField, Words } from './fields.ts';

interface Filter {
  /** The field of a transaction that must equal the filter; absent for filters of days. */
  field?: WholeField;
  /** True if the filter has its own index, which finds few rows: other filters are compared with each row. */
  isOwnIndexed?: true;
}

/**
 * The filters of a list. Texts name them in this order, and cursors contain their values in it: a new filter
 * comes last, so that issued cursors stay valid.
 */
export const FILTERS = {
  /** Only transactions in this status. */
  status: { field: 'status' },
  /** Three capital letters of ISO 4217. */
  currency: { field: 'currencyCode' },
  /** The first day of createdAt, written YYYY-MM-DD, inclusive. */
  from: {},
  /** The last day of createdAt, written YYYY-MM-DD, inclusive. */
  to: {},
  /** The time zone whose days are meant, such as Europe/Berlin. Default: UTC. */
  timeZone: {},
  /** The complete text, exactly as it was recorded. */
  merchantReference: { field: 'merchantReference', isOwnIndexed: true },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof FILTERS;

/** The filters that compare a field of the transaction for equality. */
export type EqualityFilter = {
  [Name in FilterName]: (typeof FILTERS)[Name] extends { field: string } ? Name : never;
}[FilterName];

export type OwnIndexedFilter = {
  [Name in EqualityFilter]: (typeof FILTERS)[Name] extends { isOwnIndexed: true } ? Name : never;
}[EqualityFilter];

/** The options of commands: the name of the value, and the help text. A text cannot be empty. */
export const FILTER_OPTIONS = {
  status: { value: 'status', help: 'only transactions in this status' },
  currency: { value: 'code', help: 'only transactions in this currency: three upper-case letters' },
  from: { value: 'day', help: 'only transactions created on this day or later: YYYY-MM-DD' },
  to: {
    value: 'day',
    help: 'only transactions created on this day or earlier; the range can have any length',
  },
  timeZone: {
    value: 'name',
    help: 'the time zone of the days, such as Europe/Berlin (default: UTC)',
  },
  merchantReference: { value: 'text', help: 'only transactions with exactly this merchantReference' },
} as const satisfies Record<FilterName, { value: string; help: string }>;

/** A filter on the page, with the name of its field. */
interface Chip {
  /** The text without a value. */
  any: Words;
  /** The values to choose from; absent if the search sets the filter. */
  choices?: 'statuses' | 'currencies';
}

/** In the order of the chips. */
export const FILTER_CHIPS: Readonly<Record<EqualityFilter, Chip>> = {
  status: { any: { en: 'any', de: 'alle', fr: 'tous' }, choices: 'statuses' },
  currency: { any: { en: 'any', de: 'alle', fr: 'toutes' }, choices: 'currencies' },
  merchantReference: { any: { en: 'any', de: 'alle', fr: 'toutes' } },
};
