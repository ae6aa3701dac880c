import { AMOUNT } from './amount.ts';
import { checkTexts, withQuery } from './filters.ts';
import { requestBody } from './request-body.ts';
import { hasArchivedBefore, isCount, isObject, isText, isTextOrNull } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { FILTER_NAMES, type ListFilters, type TransactionStatus } from './transaction.ts';

/** The range of days can have any length. */
export interface TotalsQuery extends ListFilters {
  /** Splits the totals by day or month of createdAt. Cannot be combined with merchantReference. */
  by?: 'day' | 'month' | undefined;
  /** The first and last day of paidAt, both inclusive. If either is given, `by` splits by paidAt. */
  paidFrom?: string | undefined;
  paidTo?: string | undefined;
}

export interface TotalsRow {
  /** YYYY-MM-DD; only with `by: 'day'`. */
  day?: string;
  /** YYYY-MM; only with `by: 'month'`. */
  month?: string;
  currencyCode: string;
  status: TransactionStatus;
  count: number;
  /** The exact sum, written like a transaction's amount. It can have more digits than a number can hold. */
  amount: string;
}

/** `data` is sorted by day or month, currency and status. Combinations without transactions have no row. */
export interface Totals {
  data: TotalsRow[];
  /** The number of the last change that the totals include. */
  asOf: number;
  /** The id of the change `asOf`; null if `asOf` is 0. */
  asOfId: string | null;
  /** See `archivedBefore` of TransactionPage. */
  archivedBefore?: string;
}

const PARAMETERS = [...FILTER_NAMES, 'paidFrom', 'paidTo', 'by'];

export async function fetchTotals(
  send: Send,
  root: string,
  query: TotalsQuery,
  options: RequestOptions,
): Promise<Totals> {
  const path = withQuery(`${root}/totals`, checkTexts(query, PARAMETERS));
  const is = (body: unknown): body is Totals => isTotals(body, query.by);
  return requestBody(send, path, { what: 'totals', is }, options);
}

function isTotals(value: unknown, by: TotalsQuery['by']): value is Totals {
  return (
    isObject(value) &&
    Array.isArray(value['data']) &&
    value['data'].every(
      (row) =>
        isTotalsRow(row) && isText(row.day) === (by === 'day') && isText(row.month) === (by === 'month'),
    ) &&
    isCount(value['asOf']) &&
    isTextOrNull(value['asOfId']) &&
    hasArchivedBefore(value)
  );
}

export function isTotalsRow(value: unknown): value is TotalsRow {
  return (
    isObject(value) &&
    isText(value['currencyCode']) &&
    isText(value['status']) &&
    isCount(value['count']) &&
    isText(value['amount']) &&
    AMOUNT.test(value['amount'])
  );
}
