import type { OwnIndexedFilter } from '../../../values/interface/filters.ts';
import type { RunLong } from '../../../values/long-read.ts';
import type { Archive } from '../archives/archive.ts';
import {
  type EqualityValues,
  OWN_INDEXED_FILTERS,
  ownIndexedFilterOf,
  type Position,
  type TimeRange,
} from '../list/list.ts';

export interface Total {
  /** The day, in days since 1970-01-01, or the first day of the month. Null if all days are added up. */
  day: number | null;
  currencyCode: string;
  status: string;
  count: number;
  /** Can exceed 64 bits. */
  amountMinor: bigint;
}

/** To be added to the totals of a day. When a status changes, the old status gets a negative count. */
export interface DaySum extends Total {
  day: number;
}

export const damagedTotals = (account: string): string =>
  `the stored totals of the account ${account} are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says`;

export interface ReadTotalsOptions {
  runLong?: RunLong;
}

export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Days are counted from 1970-01-01. The range includes both days. */
export interface TotalsQuery extends EqualityValues {
  account: string;
  fromDay: number | null;
  toDay: number | null;
  /** Null for UTC. */
  timeZone: string | null;
  by: Period | null;
  /** The range of paidAt; null for any. With a range, totals are grouped by days of paidAt. */
  paid: TimeRange | null;
}

export interface Totals {
  /** In the order of day, currency and status. No count is 0. */
  totals: Total[];
  asOf: number;
  asOfId: string | null;
  archive: CountedTotals['archive'];
}

interface DayRange {
  from: number | null;
  to: number | null;
}

/** Stored totals do not exist for filters such as merchantReference. */
export interface StoredTotalsQuery extends Omit<EqualityValues, OwnIndexedFilter> {
  account: string;
  byDay: boolean;
  days: DayRange | null;
}

/** All values are from one snapshot. */
export interface CountedTotals {
  totals: Total[];
  asOf: number;
  /** The nonce of change `asOf`. If it differs when it is read again, the history was replaced. */
  lastNonce: number | null;
  archive?: Pick<Archive, 'beforeMs' | 'removedChanges'> | undefined;
}

export interface TotalsReader {
  /** Returns the totals in any order. Counts can be 0. */
  readStoredTotals(query: StoredTotalsQuery): Promise<CountedTotals>;
  readNonce(account: string, sequence: number): Promise<number | null>;
}

interface PaidRange extends TimeRange {
  /** The range consists of parts of this length, counted from 0001-01-01. Each part has separate totals. */
  partMs?: number | undefined;
}

export interface ListedSumQuery {
  account: string;
  filter: EqualityValues;
  range: TimeRange;
  /** The range of paidAt. If it is null, unpaid transactions are included. */
  paid: PaidRange | null;
  asOf: number;
}

export interface ListedTotal extends Omit<Total, 'day'> {
  partStartMs: number | null;
}

export interface ListedSum {
  /** Several of these totals can have the same currency and status. The caller adds them up. */
  totals: ListedTotal[];
  created: { firstMs: number; lastMs: number } | null;
  next: Position | null;
}

export interface ListedSummer {
  sumListed(query: ListedSumQuery, after: Position | null): Promise<ListedSum>;
}

/** Calls `make` for each filter that has an index of its own, and calls `make('')` for all other filters. */
export function byIndexOfFilter<Made>(make: (suffix: string) => Made): (filter: EqualityValues) => Made {
  const all = make('');
  const ofIndex = new Map(OWN_INDEXED_FILTERS.map((name) => [name, make(`_${name}`)]));
  return (filter) => {
    const own = ownIndexedFilterOf(filter);
    return own === undefined ? all : (ofIndex.get(own) as Made);
  };
}

interface Sum extends Total {
  /** The part that is not yet in `amountMinor`. Adding to a number is far cheaper than adding to a bigint. */
  restMinor: number;
}

type DaySums = Map<string, Map<string, Sum>>;

/**
 * Above this, `restMinor` is added to `amountMinor`. An amount is below 10^15, so `restMinor` plus an amount
 * stays below 2^53, and is exact.
 */
const MAX_REST_MINOR = 2 ** 52;

export class TotalsSum {
  readonly #sums = new Map<Total['day'], DaySums>();
  #lastDay: { day: Total['day']; sums: DaySums } | undefined;
  #last: Sum | undefined;

  add({ day, currencyCode, status, count, amountMinor }: Total): void {
    const sum = this.#of(day, currencyCode, status);
    sum.count += count;
    sum.amountMinor += amountMinor;
  }

  addRow(
    day: Total['day'],
    currencyCode: string,
    status: string,
    amountMinor: number,
    count: 1 | -1 = 1,
  ): void {
    let sum = this.#last;
    if (sum?.currencyCode !== currencyCode || sum.status !== status || sum.day !== day) {
      sum = this.#of(day, currencyCode, status);
      this.#last = sum;
    }
    sum.count += count;
    sum.restMinor += count * amountMinor;
    if (sum.restMinor > MAX_REST_MINOR || sum.restMinor < -MAX_REST_MINOR) settle(sum);
  }

  take(day: Total['day'], currencyCode: string, status: string): Total | undefined {
    const ofCurrency = this.#sums.get(day)?.get(currencyCode);
    const sum = ofCurrency?.get(status);
    ofCurrency?.delete(status);
    this.#last = undefined;
    return sum && settle(sum);
  }

  list(): Total[] {
    return this.#sums
      .values()
      .flatMap((ofDay) => ofDay.values())
      .flatMap((ofCurrency) => ofCurrency.values())
      .map(settle)
      .toArray()
      .filter((total) => !isEmpty(total))
      .sort(compareTotals);
  }

  #of(day: Total['day'], currencyCode: string, status: string): Sum {
    if (this.#lastDay === undefined || this.#lastDay.day !== day)
      this.#lastDay = { day, sums: this.#ofDay(day) };
    const ofDay = this.#lastDay.sums;
    let ofCurrency = ofDay.get(currencyCode);
    if (ofCurrency === undefined) {
      ofCurrency = new Map();
      ofDay.set(currencyCode, ofCurrency);
    }
    let sum = ofCurrency.get(status);
    if (sum === undefined) {
      sum = { day, currencyCode, status, count: 0, amountMinor: 0n, restMinor: 0 };
      ofCurrency.set(status, sum);
    }
    return sum;
  }

  #ofDay(day: Total['day']): DaySums {
    let sums = this.#sums.get(day);
    if (sums === undefined) {
      sums = new Map();
      this.#sums.set(day, sums);
    }
    return sums;
  }
}

function settle(sum: Sum): Total {
  // A damaged amount can be a fraction, for which BigInt would throw.
  if (Number.isInteger(sum.restMinor)) sum.amountMinor += BigInt(sum.restMinor);
  sum.restMinor = 0;
  const { day, currencyCode, status, count, amountMinor } = sum;
  return { day, currencyCode, status, count, amountMinor };
}

function compareTotals(left: Total, right: Total): number {
  return (
    (left.day ?? 0) - (right.day ?? 0) ||
    compare(left.currencyCode, right.currencyCode) ||
    compare(left.status, right.status)
  );
}

export function areListed(totals: readonly Total[]): boolean {
  return totals.every((total, index) => {
    const before = totals[index - 1];
    return !isEmpty(total) && (before === undefined || compareTotals(before, total) < 0);
  });
}

const isEmpty = ({ count, amountMinor }: Total) => count === 0 && amountMinor === 0n;

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

export interface TotalsDifference {
  currencyCode: string;
  status: string;
  /** Actual minus expected. */
  count: number;
  amountMinor: bigint;
}

export function totalsDifferences(expected: readonly Total[], actual: readonly Total[]): TotalsDifference[] {
  const sum = new TotalsSum();
  for (const total of actual) sum.add(total);
  for (const { count, amountMinor, ...rest } of expected)
    sum.add({ ...rest, count: -count, amountMinor: -amountMinor });
  return sum
    .list()
    .map(({ currencyCode, status, count, amountMinor }) => ({ currencyCode, status, count, amountMinor }));
}
