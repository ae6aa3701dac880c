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

/** The transactions of one currency and status: how many there are, and what they add up to. */
export interface Total {
  /**
   * The day on which the transactions were created or paid, in days since 1970-01-01. For totals by month,
   * the first day of the month. Null if all days are added up.
   */
  day: number | null;
  currencyCode: string;
  status: string;
  count: number;
  /** In hundredths. It can exceed 64 bits. */
  amountMinor: bigint;
}

/**
 * What changes add to the totals of a day. For a status that transactions have left, count and amount are
 * negative.
 */
export interface DaySum extends Total {
  day: number;
}

/** The error of a recording that would bring a stored total of its account below 0 transactions. */
export const damagedTotals = (account: string): string =>
  `the stored totals of the account ${account} are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says`;

export interface ReadTotalsOptions {
  /**
   * Runs the reads after the first QUICK_READS. If its signal aborts, reading ends with the signal's reason.
   */
  runLong?: RunLong;
}

export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Days are counted from 1970-01-01. Both ends belong to the range. */
export interface TotalsQuery extends EqualityValues {
  account: string;
  fromDay: number | null;
  toDay: number | null;
  /** The time zone of the days; null for UTC. */
  timeZone: string | null;
  /** The period by which totals are grouped; null to add up all days. */
  by: Period | null;
  /** The range of paidAt; null for any. With a range, totals are grouped by days of paidAt. */
  paid: TimeRange | null;
}

export interface Totals {
  /** In the order of day, currency and status. No total has the count 0. */
  totals: Total[];
  /** The number of the last change that the totals count. */
  asOf: number;
  /** The id of the change `asOf`; null if there is none. */
  asOfId: string | null;
  /** The archive, which explains why transactions are missing from the totals. */
  archive: CountedTotals['archive'];
}

/** A range of days, both inclusive; null for an open end. */
interface DayRange {
  from: number | null;
  to: number | null;
}

/** Stored totals have only the filters without a separate index. */
export interface StoredTotalsQuery extends Omit<EqualityValues, OwnIndexedFilter> {
  account: string;
  byDay: boolean;
  /** Null to read only `asOf` and `lastNonce`. */
  days: DayRange | null;
}

/** Totals, and the state of their account, from one snapshot. */
export interface CountedTotals {
  totals: Total[];
  /** The head sequence. */
  asOf: number;
  /** The nonce of the last change; null if there is none. */
  lastNonce: number | null;
  /** Undefined if nothing was archived. */
  archive?: Pick<Archive, 'beforeMs' | 'removedChanges'> | undefined;
}

/**
 * Reads the stored totals. Recorded changes are immutable, so later reads up to the same sequence number
 * agree with these totals, unless a failover or a restore replaces the history meanwhile. A different nonce
 * shows that.
 */
export interface TotalsReader {
  /** The sums of the days, in any order. Their counts can be 0. */
  readStoredTotals(query: StoredTotalsQuery): Promise<CountedTotals>;
  /** The nonce of the account's change with a number; null if there is no such change. */
  readNonce(account: string, sequence: number): Promise<number | null>;
}

interface PaidRange extends TimeRange {
  /**
   * The length of the parts into which paidAt is divided, counted from 0001-01-01. Each part has separate
   * totals. If undefined, paidAt is not divided.
   */
  partMs?: number | undefined;
}

/** The transactions to sum row by row, and the sequence number of the last change to count. */
export interface ListedSumQuery {
  account: string;
  filter: EqualityValues;
  range: TimeRange;
  /** The range of paidAt, as it was at `asOf`; null also includes unpaid transactions. */
  paid: PaidRange | null;
  asOf: number;
}

/** A total of transactions that are summed row by row. */
export interface ListedTotal extends Omit<Total, 'day'> {
  /** When the part of paidAt begins; null without parts. */
  partStartMs: number | null;
}

/** The totals of some transactions. A currency and status can occur more than once. */
export interface ListedSum {
  totals: ListedTotal[];
  /** When the first and the last of the transactions were created; null if there are none. */
  created: { firstMs: number; lastMs: number } | null;
  /** The position where the next call continues; null after the last transaction. */
  next: Position | null;
}

/**
 * Sums transactions for which there are no stored totals: those with a merchantReference, those in a part of
 * a UTC day, and those that were paid on some days.
 */
export interface ListedSummer {
  /** Sums some transactions in the database: the first ones, or those from the previous `next`. */
  sumListed(query: ListedSumQuery, after: Position | null): Promise<ListedSum>;
}

/**
 * Calls `make` once for all filters without a separate index, and once for each filter with one. `suffix`
 * ends the names of the statements. Returns a function that finds the value made for a filter.
 */
export function byIndexOfFilter<Made>(make: (suffix: string) => Made): (filter: EqualityValues) => Made {
  const all = make('');
  const ofIndex = new Map(OWN_INDEXED_FILTERS.map((name) => [name, make(`_${name}`)]));
  return (filter) => {
    const own = ownIndexedFilterOf(filter);
    return own === undefined ? all : (ofIndex.get(own) as Made);
  };
}

interface Sum extends Total {
  /**
   * The part of the sum that is not yet in amountMinor. Adding to a number is far cheaper than adding to a
   * bigint.
   */
  restMinor: number;
}

/** The sums of a day, by currency and status. */
type DaySums = Map<string, Map<string, Sum>>;

/** One more amount is below 10^15, so the rest stays within 2^53. */
const MAX_REST_MINOR = 2 ** 52;

/** Adds up totals and transactions for each day, currency and status. */
export class TotalsSum {
  readonly #sums = new Map<Total['day'], DaySums>();
  #lastDay: { day: Total['day']; sums: DaySums } | undefined;
  #last: Sum | undefined;

  add({ day, currencyCode, status, count, amountMinor }: Total): void {
    const sum = this.#of(day, currencyCode, status);
    sum.count += count;
    sum.amountMinor += amountMinor;
  }

  /** Adds a transaction, or takes it away if the count is -1. */
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

  /** The totals that are not empty, in the order of day, currency and status. */
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
  // Only a damaged amount is not a whole number.
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

/** True if totals are as TotalsSum lists them: in order, and neither duplicate nor empty. */
export function areListed(totals: readonly Total[]): boolean {
  return totals.every((total, index) => {
    const before = totals[index - 1];
    return !isEmpty(total) && (before === undefined || compareTotals(before, total) < 0);
  });
}

const isEmpty = ({ count, amountMinor }: Total) => count === 0 && amountMinor === 0n;

/** Compares two ASCII texts. */
const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** A currency and status whose transactions do not add up to the expected total. */
export interface TotalsDifference {
  currencyCode: string;
  status: string;
  /** How many more transactions there are than expected; negative for fewer. */
  count: number;
  /** How much larger their sum is than expected, in hundredths. */
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
