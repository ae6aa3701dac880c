import { FIELD_KINDS, type OptionalTexts } from '../../values/interface/fields.ts';
import { FILTERS } from '../../values/interface/filters.ts';

/** Your program must accept unknown statuses, because the operator can add some. */
export type TransactionStatus = 'pending' | 'completed' | (string & {});

export interface Transaction extends OptionalTexts {
  /** Unique in its account. */
  reference: string;
  /** The merchant's own text for the transaction. */
  merchantReference: string | null;
  status: TransactionStatus;
  /** A decimal number with two decimals in every currency. `toMinorUnits` converts it to an exact integer. */
  amount: string;
  /** ISO 4217. */
  currencyCode: string;
  /** UTC with milliseconds; null while the transaction has not been paid. */
  paidAt: string | null;
  /** UTC with milliseconds. It never changes, and lists are sorted by it. */
  createdAt: string;
  /** Texts from the merchant, such as the name of the customer. Absent if there are none. */
  details?: Record<string, string>;
  /** When the details were removed for good, in UTC with milliseconds. Absent if they were not removed. */
  detailsRemovedAt?: string;
}

export const FIELDS = FIELD_KINDS satisfies {
  [Field in keyof Required<Transaction>]: undefined extends Transaction[Field]
    ? 'optional' | 'details' | 'removal'
    : null extends Transaction[Field]
      ? 'text or null'
      : 'text';
};

export const RECORDED_FIELDS: readonly string[] = Object.keys(FIELDS).filter(
  (name) => name !== 'detailsRemovedAt',
);

/** At most ten transactions, newest first, as the service sends them. */
export interface TransactionPage {
  data: Transaction[];
  /** The `cursor` of the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
  /**
   * The first day without archived transactions, in the request's time zone. Transactions created before that
   * day are missing. Absent if the request does not reach archived days.
   */
  archivedBefore?: string;
}

/** The conditions of a list. `from` and `to` are days of createdAt, written YYYY-MM-DD, both inclusive. */
export type ListFilters = {
  [Name in keyof typeof FILTERS]?: (Name extends 'status' ? TransactionStatus : string) | undefined;
};

export const FILTER_NAMES: readonly string[] = Object.keys(FILTERS);

export interface PageQuery extends ListFilters {
  /**
   * The nextCursor of an earlier page. It contains the filters, except a long merchantReference: send that
   * filter again.
   */
  cursor?: string | undefined;
}
