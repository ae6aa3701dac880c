import type { EqualityFilter } from '../../../values/interface/filters.ts';
import { EQUALITY_FILTERS, timeRange } from './list-filter.ts';
import type { ListQuery } from './list-query.ts';

/** Which conditions a list query has. Each combination has its own statement. */
export interface ListShape extends Record<EqualityFilter, boolean> {
  from: boolean;
  /** The newer end: a day, a position (which is never newer than the day), or open. */
  end: 'open' | 'before' | 'after';
}

export type ListValue = string | number;

/** The shape of a list query, and its values in the order of the shape, the account first. */
export function shapeOf({ account, filter, after }: ListQuery): { shape: ListShape; values: ListValue[] } {
  const { fromMs, beforeMs } = timeRange(filter);
  const values: ListValue[] = [account];
  const shape = { from: fromMs !== null } as ListShape;
  for (const { name } of EQUALITY_FILTERS) {
    const value = filter[name];
    shape[name] = value !== null;
    if (value !== null) values.push(value);
  }
  if (fromMs !== null) values.push(fromMs);
  if (after !== null) values.push(after.createdAtMs, after.reference);
  else if (beforeMs !== null) values.push(beforeMs);
  shape.end = after !== null ? 'after' : beforeMs !== null ? 'before' : 'open';
  return { shape, values };
}

/** The columns that the filter compares for equality, in the order of the values of a shape. */
export const equalityColumns = (shape: ListShape): string[] =>
  EQUALITY_FILTERS.filter(({ name }) => shape[name]).map(({ column }) => column);

/**
 * The columns that follow the account at the start of the index of a list: the list is one range of that index. A
 * filter on any other column is compared with each entry of the range.
 */
export const leadingColumns = (shape: ListShape): string[] =>
  shape.merchantReference ? ['merchant_reference'] : equalityColumns(shape);

/**
 * Whether a list is by currency alone. No index begins with the currency: the list is merged from the ranges of the
 * index by status and currency, one for each status of the account.
 */
export const isMerged = (shape: ListShape): boolean =>
  shape.currency && !shape.status && !shape.merchantReference;

/** A unique name for each shape. */
export function shapeName(shape: ListShape): string {
  let name = `${shape.end} ${shape.from}`;
  for (const filter of EQUALITY_FILTERS) name += shape[filter.name] ? 1 : 0;
  return name;
}
