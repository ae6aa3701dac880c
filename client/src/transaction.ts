/** Statuses are open: an operator may add some, so a program has to take values that it does not know. */
export type TransactionStatus = 'pending' | 'completed' | (string & {});

/** A payment of the account that the API key belongs to. */
export interface Transaction {
  /** Identifies the transaction within its account. */
  reference: string;
  /** The caller's own reference, or null where none was given. */
  merchantReference: string | null;
  status: TransactionStatus;
  /** A decimal number with two decimals, whatever the currency. `toMinorUnits` makes an exact integer of it. */
  amount: string;
  /** ISO 4217. */
  currencyCode: string;
  /** UTC with milliseconds; null while the transaction has not been paid. */
  paidAt: string | null;
  /** UTC with milliseconds. It never changes and orders the list. */
  createdAt: string;
}

/** Every field of a transaction and its type, in the order of the CSV columns. */
export const TRANSACTION_FIELDS = {
  reference: 'text',
  merchantReference: 'text or null',
  status: 'text',
  amount: 'text',
  currencyCode: 'text',
  paidAt: 'text or null',
  createdAt: 'text',
} as const satisfies {
  [Field in keyof Transaction]: null extends Transaction[Field] ? 'text or null' : 'text';
};

/** Ten transactions at most, newest first, as the service sends them. */
export interface TransactionPage {
  data: Transaction[];
  /** Sent as `cursor`, it asks for the next page. Null on the last one. */
  nextCursor: string | null;
  hasMore: boolean;
}

/** What a list is restricted to. Days are UTC days of createdAt, written YYYY-MM-DD, both inclusive. */
export interface ListFilters {
  status?: TransactionStatus | undefined;
  /** Three capital letters of ISO 4217. */
  currency?: string | undefined;
  /** Exactly as it was recorded. */
  merchantReference?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface PageQuery extends ListFilters {
  /** nextCursor of an earlier page. The same filters may stand beside it; a long merchantReference has to. */
  cursor?: string | undefined;
}
