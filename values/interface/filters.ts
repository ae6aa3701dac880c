import type { WholeField, Words } from './fields.ts';

interface Filter {
  field?: WholeField;
  /** True if the filter has its own index. Otherwise, the filter is compared with rows of another index. */
  isOwnIndexed?: true;
}

/** Cursors contain the filters' values in this order. A new filter must be last, or issued cursors fail. */
export const FILTERS = {
  status: { field: 'status' },
  /** Three capital letters from ISO 4217. */
  currency: { field: 'currencyCode' },
  /** Only transactions whose createdAt is on this day or later. Written YYYY-MM-DD. */
  from: {},
  /** Only transactions whose createdAt is on this day or earlier. Written YYYY-MM-DD. */
  to: {},
  /** The time zone in which days begin and end, such as Europe/Berlin. Default: UTC. */
  timeZone: {},
  /** The complete text, exactly as recorded. */
  merchantReference: { field: 'merchantReference', isOwnIndexed: true },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof FILTERS;

export type EqualityFilter = {
  [Name in FilterName]: (typeof FILTERS)[Name] extends { field: string } ? Name : never;
}[FilterName];

export type OwnIndexedFilter = {
  [Name in EqualityFilter]: (typeof FILTERS)[Name] extends { isOwnIndexed: true } ? Name : never;
}[EqualityFilter];

/** `value` is the option's placeholder in the help. If it is `text`, the option refuses an empty text. */
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

interface Chip {
  any: Words;
  /** If `choices` is absent, users set the filter by searching. */
  choices?: 'statuses' | 'currencies';
}

export const FILTER_CHIPS: Readonly<Record<EqualityFilter, Chip>> = {
  status: { any: { en: 'any', de: 'alle', fr: 'tous' }, choices: 'statuses' },
  currency: { any: { en: 'any', de: 'alle', fr: 'toutes' }, choices: 'currencies' },
  merchantReference: { any: { en: 'any', de: 'alle', fr: 'toutes' } },
};
