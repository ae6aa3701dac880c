import type { WholeField } from './fields.ts';

/** A filter of a list. */
interface Filter {
  /** The field of a transaction that it must equal; absent for those of days. */
  field?: WholeField;
  /** True if it has an index of its own, which leads to few rows: other filters are compared with each. */
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

/** The filters that a field of the transaction must equal. */
export type EqualityFilter = {
  [Name in FilterName]: (typeof FILTERS)[Name] extends { field: string } ? Name : never;
}[FilterName];
