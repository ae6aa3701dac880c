import type { Total } from './totals.ts';

interface Sum extends Total {
  /** What is not in amountMinor yet: adding to a number is far cheaper than to a bigint. */
  restMinor: number;
}

/** The sums of a day, by currency and status. */
type DaySums = Map<string, Map<string, Sum>>;

/** One more amount, which is below 10^15, keeps the rest within 2^53. */
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

  /** Removes a total, and returns it. */
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

/** Whether totals are as TotalsSum lists them: in order, none twice, none empty. */
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
