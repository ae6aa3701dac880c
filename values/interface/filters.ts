import type { WholeField } from './fields.ts';

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
