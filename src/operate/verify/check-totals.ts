import { stateUpTo } from '../../ledger/changes/numbered-changes.ts';
import { formatSum } from '../../values/amount.ts';
import { dayOf, formatDay, monthOf } from '../../values/calendar.ts';
import { PENDING } from '../../values/status.ts';
import type { Disagreement } from './disagreement.ts';
import type { StoredRollUp, StoredRow, StoredTotal } from './verify-reader.ts';

interface Sum {
  period: number;
  currencyCode: string;
  status: string;
  count: number;
  amountMinor: bigint;
  /** What is not in amountMinor yet: numbers are added faster. */
  restMinor: number;
}

const MAX_REST_MINOR = 2 ** 52;

/** Sums of transactions, for each day or month, currency and status. */
class Sums {
  readonly #sums = new Map<string, Sum>();

  add(
    period: number,
    currencyCode: string,
    status: string,
    count: number,
    amountMinor: number | bigint,
  ): void {
    const key = `${period} ${currencyCode} ${status}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { period, currencyCode, status, count: 0, amountMinor: 0n, restMinor: 0 };
      this.#sums.set(key, sum);
    }
    sum.count += count;
    if (typeof amountMinor === 'bigint') {
      sum.amountMinor += amountMinor;
      return;
    }
    sum.restMinor += amountMinor;
    if (Math.abs(sum.restMinor) > MAX_REST_MINOR) settle(sum);
  }

  /** Removes the sum of a key, and returns it. */
  take({ period, currencyCode, status }: StoredTotal): Sum | undefined {
    const key = `${period} ${currencyCode} ${status}`;
    const sum = this.#sums.get(key);
    this.#sums.delete(key);
    return sum && settle(sum);
  }

  *rest(): Generator<Sum, undefined> {
    for (const sum of this.#sums.values()) yield settle(sum);
    return undefined;
  }
}

function settle(sum: Sum): Sum {
  // An amount that is no whole number is reported with its transaction.
  if (Number.isInteger(sum.restMinor)) sum.amountMinor += BigInt(sum.restMinor);
  sum.restMinor = 0;
  return sum;
}

/** A roll-up that is ahead of the head of its account. */
export function* aheadOfHead(
  account: string,
  { foldedSequence, headSequence }: Pick<StoredRollUp, 'foldedSequence' | 'headSequence'>,
): Generator<Disagreement, undefined> {
  if (foldedSequence > headSequence) {
    yield {
      check: 'totals',
      account,
      place: 'folded sequence',
      found: String(foldedSequence),
      expected: `at most ${headSequence}, the head sequence`,
    };
  }
  return undefined;
}

/** Compares a part of the roll-up with the transactions of its months, as they were at its number. */
export class RollUpComparison {
  readonly #account: string;
  readonly #stored: StoredRollUp;
  readonly #days = new Sums();

  constructor(account: string, stored: StoredRollUp) {
    this.#account = account;
    this.#stored = stored;
  }

  add(row: StoredRow): void {
    const { createdAtMs, currencyCode, status, amountMinor } = row;
    const state = stateUpTo(row, this.#stored.foldedSequence);
    if (state === undefined) return;
    const statusThen = state === 'pending' ? PENDING : (status ?? '');
    this.#days.add(dayOf(createdAtMs), currencyCode ?? '', statusThen, 1, amountMinor ?? 0);
  }

  /** Call it after the last transaction of the months. */
  *disagreements(): Generator<Disagreement, undefined> {
    const { foldedSequence, days, months } = this.#stored;
    const ofMonths = new Sums();
    for (const { period, currencyCode, status, count, amountMinor } of days)
      if (hasMonth(period)) ofMonths.add(monthOf(period), currencyCode, status, count, amountMinor);
    const ofDays: Compared = {
      total: (day) => `daily total of ${showDay(day)}`,
      addends: `the transactions up to sequence number ${foldedSequence}`,
    };
    yield* this.#compare(days, this.#days, ofDays);
    yield* this.#compare(months, ofMonths, OF_MONTHS);
    return undefined;
  }

  *#compare(
    stored: readonly StoredTotal[],
    sums: Sums,
    compared: Compared,
  ): Generator<Disagreement, undefined> {
    for (const total of stored) {
      const sum = sums.take(total) ?? { count: 0, amountMinor: 0n };
      if (total.count === sum.count && total.amountMinor === sum.amountMinor) continue;
      yield this.#differing(total, showCounted(total), sum, compared);
    }
    for (const sum of sums.rest()) {
      if (sum.count === 0 && sum.amountMinor === 0n) continue;
      yield this.#differing(sum, 'nothing', sum, compared);
    }
    return undefined;
  }

  #differing(
    { period, currencyCode, status }: Pick<StoredTotal, 'period' | 'currencyCode' | 'status'>,
    found: string,
    sum: Counted,
    { total, addends }: Compared,
  ): Disagreement {
    return {
      check: 'totals',
      account: this.#account,
      place: `${total(period)} ${currencyCode} ${status}`,
      found,
      contradicts: `${addends} add up to ${showCounted(sum)}`,
    };
  }
}

type Counted = Pick<StoredTotal, 'count' | 'amountMinor'>;

const showCounted = ({ count, amountMinor }: Counted) =>
  `${formatSum(amountMinor)} in ${count} ${count === 1 ? 'transaction' : 'transactions'}`;

/** How a report names a total, and what it was compared with. */
interface Compared {
  total(period: number): string;
  addends: string;
}

const OF_MONTHS: Compared = {
  total: (month) => `monthly total of ${showMonth(month)}`,
  addends: 'the daily totals of the month',
};

const MAX_DAY = 100_000_000;

/** Whether a day is one of JavaScript's. That of a damaged total can be any number. */
export const hasMonth = (day: number): boolean => Math.abs(day) <= MAX_DAY;

const showDay = (day: number) => (hasMonth(day) ? formatDay(day) : `day ${day}`);

function showMonth(month: number): string {
  const year = Math.floor(month / 12);
  return `${1970 + year}-${String(month - year * 12 + 1).padStart(2, '0')}`;
}
