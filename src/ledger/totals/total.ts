import type { OwnIndexedFilter } from '../../../values/interface/filters.ts';
import type { RunLong } from '../../../values/long-read.ts';
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
   * The day on which they were created or paid, or the first one of that month, in days since 1970-01-01;
   * null if all days are added up.
   */
  day: number | null;
  currencyCode: string;
  status: string;
  count: number;
  /** In hundredths. Beyond 64 bits if need be. */
  amountMinor: bigint;
}

/** The amounts that changes add to a day's totals. Count and amount are negative for a status left. */
export interface DaySum extends Total {
  day: number;
}

/** The error of a recording into an account whose stored totals would count less than nothing. */
export const damagedTotals = (account: string): string =>
  `the stored totals of the account ${account} are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says`;

export interface ReadTotalsOptions {
  /** Runs the reads after QUICK_READS. Reading ends with the reason of its signal. */
  runLong?: RunLong;
}

export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Days are counted from 1970-01-01, and both ends belong to the range. */
export interface TotalsQuery extends EqualityValues {
  account: string;
  fromDay: number | null;
  toDay: number | null;
  /** The time zone whose days they are; null for UTC. */
  timeZone: string | null;
  /** The period that totals are grouped by; null to sum all days. */
  by: Period | null;
  /** The days of paidAt; null for any. Such totals are split by days of paidAt. */
  paid: TimeRange | null;
}

export interface Totals {
  /** In the order of day, currency and status. None has the count 0. */
  totals: Total[];
  /** The sequence number at which they hold. */
  asOf: number;
  /** The id of the change with that number; null if there is none. */
  asOfId: string | null;
}

/** A range of days whose ends belong to it; null is open. */
interface DayRange {
  from: number | null;
  to: number | null;
}

/** The stored totals have the columns of the filters that have no index of their own. */
export interface StoredTotalsQuery extends Omit<EqualityValues, OwnIndexedFilter> {
  account: string;
  byDay: boolean;
  /** Null reads only the number at which totals hold. */
  days: DayRange | null;
}

/** Totals with the nonce of the last change that they count; null if there is none. */
export interface CountedTotals {
  totals: Total[];
  /** The head sequence of the account, from the same snapshot. */
  asOf: number;
  lastNonce: number | null;
}

/**
 * Reads the stored totals. In one history, a change never changes, so what is read at the same number after
 * them belongs to them. A failover or restore between the reads can replace the history: nonces show it.
 */
export interface TotalsReader {
  /**
   * The sums of the days, with the number at which they hold, from one snapshot. They can have no order, and
   * totals of nothing.
   */
  readStoredTotals(query: StoredTotalsQuery): Promise<CountedTotals>;
  /** The nonce of the account's change with a number; null if there is none. */
  readNonce(account: string, sequence: number): Promise<number | null>;
}

interface PaidRange extends TimeRange {
  /**
   * The length of the parts of paidAt, counted from 0001-01-01: each part has its own totals. Without it,
   * paidAt is not divided.
   */
  partMs?: number | undefined;
}

/** Which transactions are summed row by row, and up to which sequence number. */
export interface ListedSumQuery {
  account: string;
  filter: EqualityValues;
  range: TimeRange;
  /** The range of paidAt, as it was at the number; null includes unpaid transactions. */
  paid: PaidRange | null;
  asOf: number;
}

/** The totals of transactions that are summed row by row. */
export interface ListedTotal extends Omit<Total, 'day'> {
  /** When the part of paidAt begins; null without parts. */
  partStartMs: number | null;
}

/** The totals of some transactions. They can have a currency and status more than once. */
export interface ListedSum {
  totals: ListedTotal[];
  /** When the first and the last of them were created; null if there are none. */
  created: { firstMs: number; lastMs: number } | null;
  /** The position of the next ones; null after the last. */
  next: Position | null;
}

/**
 * Sums what the stored totals do not have: transactions with a merchantReference, parts of a UTC day, and
 * what was paid on some days.
 */
export interface ListedSummer {
  /** Sums some transactions in the database, from the start or from the `next` of the call before. */
  sumListed(query: ListedSumQuery, after: Position | null): Promise<ListedSum>;
}

/**
 * Makes what sums the rows of a filter: for one with an index of its own, such as merchantReference, with the
 * statements whose names end in `_merchantReference`.
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
   * The part of the sum that is not yet added to amountMinor: adding to a number is far cheaper than to a
   * bigint.
   */
  restMinor: number;
}

/** The sums of a day, by currency and status. */
type DaySums = Map<string, Map<string, Sum>>;

/** With one more amount, which is below 10^15, the rest stays within 2^53. */
const MAX_REST_MINOR = 2 ** 52;

/** Adds totals and transactions up, for each day, currency and status. */
export class TotalsSum {
  readonly #sums = new Map<Total['day'], DaySums>();
  #lastDay: { day: Total['day']; sums: DaySums } | undefined;
  #last: Sum | undefined;

  add({ day, currencyCode, status, count, amountMinor }: Total): void {
    const sum = this.#of(day, currencyCode, status);
    sum.count += count;
    sum.amountMinor += amountMinor;
  }

  /** Adds a transaction, or with the count -1 takes it away. */
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
  // Only a damaged amount is no whole number.
  if (Number.isInteger(sum.restMinor)) sum.amountMinor += BigInt(sum.restMinor);
  sum.restMinor = 0;
  const { day, currencyCode, status, count, amountMinor } = sum;
  return { day, currencyCode, status, count, amountMinor };
}

/** Compares totals by day, currency and status. */
function compareTotals(left: Total, right: Total): number {
  return (
    (left.day ?? 0) - (right.day ?? 0) ||
    compare(left.currencyCode, right.currencyCode) ||
    compare(left.status, right.status)
  );
}

/** True if totals are as TotalsSum lists them: in order, none twice, none empty. */
export function areListed(totals: readonly Total[]): boolean {
  return totals.every((total, index) => {
    const before = totals[index - 1];
    return !isEmpty(total) && (before === undefined || compareTotals(before, total) < 0);
  });
}

const isEmpty = ({ count, amountMinor }: Total) => count === 0 && amountMinor === 0n;

/** Both are ASCII. */
const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** A currency and status whose transactions do not add up to what they must. */
export interface TotalsDifference {
  currencyCode: string;
  status: string;
  /** How many more transactions there are than expected, negative for fewer. */
  count: number;
  /** How much more they add up to than expected, in hundredths. */
  amountMinor: bigint;
}

/** Where totals differ from the expected ones. */
export function totalsDifferences(expected: readonly Total[], actual: readonly Total[]): TotalsDifference[] {
  const sum = new TotalsSum();
  for (const total of actual) sum.add(total);
  for (const { count, amountMinor, ...rest } of expected)
    sum.add({ ...rest, count: -count, amountMinor: -amountMinor });
  return sum
    .list()
    .map(({ currencyCode, status, count, amountMinor }) => ({ currencyCode, status, count, amountMinor }));
}
