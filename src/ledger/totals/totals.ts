import type { EqualityFilter, EqualityValues, TextFilter, TimeRange } from '../list/list-filter.ts';
import type { Position } from '../list/list-query.ts';

/** The transactions of one currency and status: how many there are, and what they add up to. */
export interface Total {
  /** The day on which they were created, or the first one of that month, in days since 1970-01-01; null if all days are added up. */
  day: number | null;
  currencyCode: string;
  status: string;
  count: number;
  /** In hundredths. Beyond 64 bits if need be. */
  amountMinor: bigint;
}

/** What changes add to the totals of a day. Count and amount are negative where transactions left a status. */
export interface DaySum extends Total {
  day: number;
}

/** What a range of changes adds to the totals. */
export interface ChangeSums {
  sums: DaySum[];
  /** The nonce of the last change of the range, from the same snapshot; null if there is none. It tells which history has these sums. */
  lastNonce: number | null;
}

/** The periods by which totals are split. */
export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Days are counted from 1970-01-01, and both ends belong to the range. */
export interface TotalsQuery extends EqualityValues {
  account: string;
  fromDay: number | null;
  toDay: number | null;
  /** The time zone whose days they are; null for UTC. */
  timeZone: string | null;
  /** The period of which each has totals of its own; null to add all days up. */
  by: Period | null;
}

export interface Totals {
  /** In the order of day, currency and status. None has the count 0. */
  totals: Total[];
  /** The sequence number at which they hold. */
  asOf: number;
  /** The id of the change with that number; null if there is none. */
  asOfId: string | null;
}

/** A range of days or months whose ends belong to it; null is open. Months are counted from January 1970. */
export interface PeriodRange {
  from: number | null;
  to: number | null;
}

export interface StoredTotalsQuery extends Pick<EqualityValues, Exclude<EqualityFilter, TextFilter>> {
  account: string;
  byDay: boolean;
  days: readonly PeriodRange[];
  months: readonly PeriodRange[];
}

export interface StoredTotals {
  totals: Total[];
  /** The sequence number at which the totals hold; 0 if there are none. */
  totalsSequence: number;
  /** The head sequence of the account, read in the same snapshot. */
  headSequence: number;
  /** The nonce of the change with the larger of both numbers, from the same snapshot; null if there is none. */
  lastNonce: number | null;
}

/** An account that has changes that are not in its stored totals, or not sealed. */
export interface AccountBehind {
  account: string;
  totalsSequence: number;
  sealedSequence: number;
  headSequence: number;
}

export const isBehind = ({ totalsSequence, sealedSequence, headSequence }: AccountBehind): boolean =>
  headSequence > Math.min(totalsSequence, sealedSequence);

/**
 * The most changes of one call of sumChanges: their sums fit into 64 bits, and on SQLite the event loop waits for some milliseconds.
 */
export const MAX_SUMMED = 2000;

/**
 * Reads totals: the stored ones, and the changes that are not in them. In one history, a change never changes, so each read can be one of its
 * own. A failover or a restore between two reads can replace the history: the nonces tell.
 */
export interface TotalsReader {
  /** The sums of the ranges, with the number at which they hold, from one snapshot. Without ranges, only the numbers are read. */
  readStoredTotals(query: StoredTotalsQuery): Promise<StoredTotals>;
  /** What the changes after `after` up to `upTo` add, at most MAX_SUMMED of them. */
  sumChanges(account: string, after: number, upTo: number): Promise<ChangeSums>;
}

/** Which transactions are summed row by row, and up to which sequence number. */
export interface ListedSumQuery {
  account: string;
  filter: EqualityValues;
  range: TimeRange;
  /** The range of paidAt, as it was at the number; null: any, and also what was not paid. */
  paid: TimeRange | null;
  asOf: number;
}

/** The totals of some transactions. They can have a currency and status more than once. */
export interface ListedSum {
  totals: Total[];
  /** When the first and the last of them were created; null if there are none. */
  created: { firstMs: number; lastMs: number } | null;
  /** Where the next ones begin; null if there are no more. */
  next: Position | null;
}

/** Sums what the stored totals do not have: transactions with a merchantReference, parts of a UTC day, and what was paid on some days. */
export interface ListedSummer {
  /** Sums some transactions in the database, from the start or from the `next` of the call before. */
  sumListed(query: ListedSumQuery, after: Position | null): Promise<ListedSum>;
}

/** Adds changes to the stored totals. */
export interface TotalsUpdater extends Pick<TotalsReader, 'readStoredTotals' | 'sumChanges'> {
  /** Accounts with changes that are not in the stored totals, or not sealed, among the next `limit` accounts after one in the order of accounts; `last` is the last one that was read. */
  listBehind(
    afterAccount: string,
    limit: number,
  ): Promise<{ accounts: AccountBehind[]; last: string | null }>;
  /**
   * Adds the sums of the changes after `from` up to `upTo` to the stored totals, if they hold at `from` and the change `upTo` has their nonce.
   * Returns false, and changes nothing, if another instance has added changes meanwhile, or if the history was replaced.
   */
  addToTotals(account: string, from: number, upTo: number, changes: ChangeSums): Promise<boolean>;
}
