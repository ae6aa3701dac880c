/**
 * The filters of a list, each with the field of a transaction that it must equal; null for those of days.
 *
 * Texts name them in this order, and cursors contain their values in it: a new filter comes last, so that
 * issued cursors stay valid.
 */
export const FILTERS = {
  /** Only transactions in this status. */
  status: 'status',
  /** Three capital letters of ISO 4217. */
  currency: 'currencyCode',
  /** The first day of createdAt, written YYYY-MM-DD, inclusive. */
  from: null,
  /** The last day of createdAt, written YYYY-MM-DD, inclusive. */
  to: null,
  /** The time zone whose days are meant, such as Europe/Berlin. Default: UTC. */
  timeZone: null,
  /** The complete text, exactly as it was recorded. */
  merchantReference: 'merchantReference',
} as const;

export type FilterName = keyof typeof FILTERS;

/** The filters that a field of the transaction must equal. */
export type EqualityFilter = {
  [Name in FilterName]: (typeof FILTERS)[Name] extends string ? Name : never;
}[FilterName];
