import { dayOrNull, formatDay, parseDay } from '../../../values/calendar.ts';
import type { ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import {
  type EqualityFilter,
  FILTERS,
  type FilterName,
  type OwnIndexedFilter,
} from '../../../values/interface/filters.ts';
import { MAX_RANGE_DAYS } from '../../../values/interface/limits.ts';
import { startOfDayMs, UTC } from '../../../values/time-zone.ts';
import { COLUMNS, type Transaction } from '../transaction.ts';

/** Lists are in descending order of createdAtMs, and then of reference. */
export interface Position {
  createdAtMs: number;
  reference: string;
  /** With replicas: how far a replica must have applied the database's log to return the next page. */
  logPosition?: string;
}

/** Newer than the position of every transaction, because createdAt is in the year 9999 at the latest. */
export const NEWEST: Position = { createdAtMs: Number.MAX_SAFE_INTEGER, reference: '' };

export interface ListResult {
  transactions: Transaction[];
  logPosition?: string;
  /**
   * From the same snapshot as `transactions`. Null if the account has no archive. If the page is empty, this
   * property is absent, and the caller reads the archive.
   */
  archivedBeforeMs?: number | null;
}

export interface ListQuery {
  account: string;
  filter: ListFilter;
  after: Position | null;
}

export interface TransactionLister {
  listTransactions(query: ListQuery, limit: number): Promise<ListResult>;
}

export interface RelatedLister {
  listRelated(
    account: string,
    relatedTo: string,
    after: Position | null,
    limit: number,
  ): Promise<Transaction[]>;
}

export interface TransactionRetriever {
  retrieveTransaction(account: string, reference: string): Promise<Transaction | undefined>;
}

type TextField = {
  [Field in keyof Transaction]: Transaction[Field] extends string | null ? Field : never;
}[keyof Transaction];

const RECORDS: Readonly<Record<FilterName, { field?: TextField; isOwnIndexed?: true }>> = FILTERS;

export const EQUALITY_FILTERS = Object.entries(RECORDS).flatMap(([name, { field, isOwnIndexed = false }]) =>
  field === undefined ? [] : [{ name: name as EqualityFilter, field, column: COLUMNS[field], isOwnIndexed }],
);

export const OWN_INDEXED_FILTERS = EQUALITY_FILTERS.filter(({ isOwnIndexed }) => isOwnIndexed).map(
  ({ name }) => name as OwnIndexedFilter,
);

export const ownIndexedFilterOf = (query: EqualityValues): OwnIndexedFilter | undefined =>
  OWN_INDEXED_FILTERS.find((name) => query[name] !== null);

export const FILTER_PARAMETERS = Object.keys(FILTERS) as readonly FilterName[];

export type ListFilter = Record<FilterName, string | null>;

export const NO_FILTER = Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, null])) as ListFilter;

export type EqualityValues = Readonly<Record<EqualityFilter, string | null>>;

export const equalityOf = (query: EqualityValues): EqualityValues =>
  Object.fromEntries(EQUALITY_FILTERS.map(({ name }) => [name, query[name]])) as EqualityValues;

export function equalityMatcher(query: EqualityValues): (transaction: Transaction) => boolean {
  const compared = EQUALITY_FILTERS.filter(({ name }) => query[name] !== null);
  return (transaction) => compared.every(({ name, field }) => transaction[field] === query[name]);
}

export interface TimeRange {
  fromMs: number | null;
  beforeMs: number | null;
}
export type ListParameter = FilterName | 'cursor';

export const isSameFilter = (name: string, sent: string, before: string | null): boolean =>
  sent === (before ?? (name === 'timeZone' ? UTC : null));

export type ListFault = ParameterFault<ErrorCode>;

/** The days must be valid or null. */
export function checkRangeOrder(
  { from, to }: Pick<ListFilter, 'from' | 'to'>,
  [first, last]: readonly [first: string, last: string] = ['from', 'to'],
): ParameterFault<'date_range_inverted'> | undefined {
  if (from === null || to === null || from <= to) return undefined;
  return {
    parameter: first,
    code: 'date_range_inverted',
    detail: `${first} (${from}) is after ${last} (${to}). Send the earlier day as ${first}.`,
  };
}

export function checkDateRange({ from, to }: Pick<ListFilter, 'from' | 'to'>): ListFault | undefined {
  const first = from === null ? undefined : parseDay(from);
  const last = to === null ? undefined : parseDay(to);
  if (first === undefined || last === undefined) return undefined;
  const days = last - first;
  if (days > MAX_RANGE_DAYS) {
    return {
      parameter: 'to',
      code: 'date_range_too_long',
      detail:
        `to (${to}) is ${days} days after from (${from}); at most ${MAX_RANGE_DAYS} are allowed in a list, ` +
        'and any number in totals and in an export (transactions.csv, transactions.ndjson). ' +
        `With from=${from}, to can be at most ${formatDay(first + MAX_RANGE_DAYS)}.`,
    };
  }
  return checkRangeOrder({ from, to });
}

/** Both days are inclusive. */
export const timeRange = ({ from, to, timeZone }: Pick<ListFilter, 'from' | 'to' | 'timeZone'>): TimeRange =>
  rangeOfDays({ fromDay: dayOrNull(from), toDay: dayOrNull(to), timeZone });

interface Days {
  fromDay: number | null;
  toDay: number | null;
  timeZone: string | null;
}

export const rangeOfDays = ({ fromDay, toDay, timeZone }: Days): TimeRange => ({
  fromMs: fromDay === null ? null : startOfDayMs(timeZone, fromDay),
  beforeMs: toDay === null ? null : startOfDayMs(timeZone, toDay + 1),
});

export interface ListShape extends Record<EqualityFilter, boolean> {
  from: boolean;
  /** The newer end, where the list begins: no bound, `beforeMs` or, on a later page, `after`. */
  end: 'open' | 'before' | 'after';
}

export type ListValue = string | number;

/** Returns the values of the account, the equality filters and the two ends of the range, in this order. */
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
  // `after` is always older than `beforeMs`, so a later page does not need `beforeMs`.
  if (after !== null) values.push(after.createdAtMs, after.reference);
  else if (beforeMs !== null) values.push(beforeMs);
  shape.end = after !== null ? 'after' : beforeMs !== null ? 'before' : 'open';
  return { shape, values };
}

export const equalityColumns = (shape: ListShape): string[] =>
  EQUALITY_FILTERS.filter(({ name }) => shape[name]).map(({ column }) => column);

export const ownIndexedColumn = (shape: ListShape): string | undefined =>
  EQUALITY_FILTERS.find(({ name, isOwnIndexed }) => isOwnIndexed && shape[name])?.column;

/** The columns that come before createdAt and reference in the index. */
export function leadingColumns(shape: ListShape): string[] {
  const own = ownIndexedColumn(shape);
  return own === undefined ? equalityColumns(shape) : [own];
}

/** No index begins with the currency, so a list by currency alone merges the ranges of all statuses. */
export const isMerged = (shape: ListShape): boolean =>
  shape.currency && !shape.status && ownIndexedColumn(shape) === undefined;

export function shapeName(shape: ListShape): string {
  let name = `${shape.end} ${shape.from}`;
  for (const filter of EQUALITY_FILTERS) name += shape[filter.name] ? 1 : 0;
  return name;
}
