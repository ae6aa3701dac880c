import type { EqualityValues, TimeRange } from '../list/list-filter.ts';
import type { Position } from '../list/list-query.ts';

/** The transactions of one currency and status: how many there are, and what they add up to. */
export interface Total {
  /** The day on which they were created or paid, or the first one of that month, in days since 1970-01-01; null if all days are added up. */
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

/** The error of a recording into an account whose stored totals would count less than nothing. */
export const damagedTotals = (account: string): string =>
  `the stored totals of the account ${account} are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says`;

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
export interface DayRange {
  from: number | null;
  to: number | null;
}

/** The stored totals do not have the merchantReference, which is null. */
export interface StoredTotalsQuery extends EqualityValues {
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
 * Reads the stored totals. In one history, a change never changes, so what is read at the same number after them belongs to them. A failover or a
 * restore between two reads can replace the history: the nonces tell.
 */
export interface TotalsReader {
  /** The sums of the days, with the number at which they hold, from one snapshot. They can have no order, and totals of nothing. */
  readStoredTotals(query: StoredTotalsQuery): Promise<CountedTotals>;
  /** The nonce of the account's change with a number; null if there is none. */
  readNonce(account: string, sequence: number): Promise<number | null>;
}

interface PaidRange extends TimeRange {
  /** How long each part of paidAt is that has totals of its own, counted from 0001-01-01; all have the same ones without it. */
  partMs?: number | undefined;
}

/** Which transactions are summed row by row, and up to which sequence number. */
export interface ListedSumQuery {
  account: string;
  filter: EqualityValues;
  range: TimeRange;
  /** The range of paidAt, as it was at the number; null: any, and also what was not paid. */
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
  /** Where the next ones begin; null if there are no more. */
  next: Position | null;
}

/** Sums what the stored totals do not have: transactions with a merchantReference, parts of a UTC day, and what was paid on some days. */
export interface ListedSummer {
  /** Sums some transactions in the database, from the start or from the `next` of the call before. */
  sumListed(query: ListedSumQuery, after: Position | null): Promise<ListedSum>;
}
