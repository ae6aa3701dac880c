import { createdAtRange } from '../core/list/list-filter.ts';
import type { ListQuery } from '../core/list/list-query.ts';

/** Which conditions a list query has. Each combination has its own statement. */
export interface ListShape {
  merchantReference: boolean;
  status: boolean;
  currency: boolean;
  from: boolean;
  /** The newer end: a day, a position (which is never newer than the day), or open. */
  end: 'open' | 'before' | 'after';
}

export type ListValue = string | number;

/** The shape of a list query, and its values in the order of the shape, the account first. */
export function shapeOf({ account, filter, after }: ListQuery): { shape: ListShape; values: ListValue[] } {
  const { fromMs, beforeMs } = createdAtRange(filter);
  const values: ListValue[] = [account];
  if (filter.merchantReference !== null) values.push(filter.merchantReference);
  if (filter.status !== null) values.push(filter.status);
  if (filter.currency !== null) values.push(filter.currency);
  if (fromMs !== null) values.push(fromMs);
  if (after !== null) values.push(after.createdAtMs, after.reference);
  else if (beforeMs !== null) values.push(beforeMs);
  const shape: ListShape = {
    merchantReference: filter.merchantReference !== null,
    status: filter.status !== null,
    currency: filter.currency !== null,
    from: fromMs !== null,
    end: after !== null ? 'after' : beforeMs !== null ? 'before' : 'open',
  };
  return { shape, values };
}

/** The columns that the filter compares for equality, in the order of the index that begins with them. */
export function equalityColumns({ merchantReference, status, currency }: ListShape): string[] {
  const columns: string[] = [];
  if (merchantReference) columns.push('merchant_reference');
  if (status) columns.push('status');
  if (currency) columns.push('currency_code');
  return columns;
}

/** A unique name for each shape. */
export function shapeName({ merchantReference, status, currency, from, end }: ListShape): string {
  return `${merchantReference}${status}${currency}${from}${end}`;
}
