import { createdAtRange, EQUALITY_FILTERS, type EqualityFilter } from './list-filter.ts';
import type { ListQuery } from './list-query.ts';

/** Which conditions a list query has. Each combination has its own statement. */
export interface ListShape extends Record<EqualityFilter, boolean> {
  from: boolean;
  /** The newer end: a day, a position (which is never newer than the day), or open. */
  end: 'open' | 'before' | 'after';
}

export type ListValue = string | number;

/** The order of the values of a shape. */
const FILTERS = Object.keys(EQUALITY_FILTERS) as EqualityFilter[];

const COLUMNS = {
  merchantReference: 'merchant_reference',
  status: 'status',
  currency: 'currency_code',
} as const satisfies Record<EqualityFilter, string>;

type FilterColumn = (typeof COLUMNS)[EqualityFilter];

/** The shape of a list query, and its values in the order of the shape, the account first. */
export function shapeOf({ account, filter, after }: ListQuery): { shape: ListShape; values: ListValue[] } {
  const { fromMs, beforeMs } = createdAtRange(filter);
  const values: ListValue[] = [account];
  for (const name of FILTERS) {
    const value = filter[name];
    if (value !== null) values.push(value);
  }
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

/** The columns that the filter compares for equality, in the order of the values of a shape. */
export function equalityColumns(shape: ListShape): FilterColumn[] {
  return FILTERS.filter((name) => shape[name]).map((name) => COLUMNS[name]);
}

/**
 * The columns that follow the account at the start of the index of a list: the list is one range of that index. A
 * filter on any other column is compared with each entry of the range.
 */
export function leadingColumns(shape: ListShape): FilterColumn[] {
  return shape.merchantReference ? ['merchant_reference'] : equalityColumns(shape);
}

/**
 * Whether a list is by currency alone. No index begins with the currency: the list is merged from the ranges of the
 * index by status and currency, one for each status of the account.
 */
export function isMerged({ merchantReference, status, currency }: ListShape): boolean {
  return currency && !status && !merchantReference;
}

/** A unique name for each shape. */
export function shapeName(shape: ListShape): string {
  let name = `${shape.end} ${shape.from}`;
  for (const filter of FILTERS) name += shape[filter] ? 1 : 0;
  return name;
}
