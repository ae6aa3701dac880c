import { stateUpTo } from '../../ledger/changes/numbered-changes.ts';
import { TotalsSum } from '../../ledger/totals/totals-sum.ts';
import { formatSum } from '../../values/amount.ts';
import { dayOf, formatDay, monthOf } from '../../values/calendar.ts';
import { PENDING } from '../../values/status.ts';
import type { Disagreement } from './disagreement.ts';
import type { StoredRow, StoredTotal, TotalsTables } from './verify-reader.ts';

/** Stored totals that are ahead of the head of its account. */
export function* aheadOfHead(
  account: string,
  { totalsSequence, headSequence }: Pick<TotalsTables, 'totalsSequence' | 'headSequence'>,
): Generator<Disagreement, undefined> {
  if (totalsSequence > headSequence) {
    yield {
      check: 'totals',
      account,
      place: 'number of the stored totals',
      found: String(totalsSequence),
      expected: `at most ${headSequence}, the head sequence`,
    };
  }
  return undefined;
}

/** Compares a part of the stored totals with the transactions of its months, as they were at their number. */
export class TotalsComparison {
  readonly #account: string;
  readonly #stored: TotalsTables;
  readonly #days = new TotalsSum();

  constructor(account: string, stored: TotalsTables) {
    this.#account = account;
    this.#stored = stored;
  }

  add(row: StoredRow): void {
    const { createdAtMs, currencyCode, status, amountMinor } = row;
    const state = stateUpTo(row, this.#stored.totalsSequence);
    if (state === undefined) return;
    const statusThen = state === 'pending' ? PENDING : (status ?? '');
    this.#days.addRow(dayOf(createdAtMs), currencyCode ?? '', statusThen, amountMinor ?? 0);
  }

  /** Call it after the last transaction of the months. */
  *disagreements(): Generator<Disagreement, undefined> {
    const { totalsSequence, days, months } = this.#stored;
    const ofMonths = new TotalsSum();
    for (const { period, ...total } of days)
      if (hasMonth(period)) ofMonths.add({ ...total, day: monthOf(period) });
    const ofDays: Compared = {
      total: (day) => `daily total of ${showDay(day)}`,
      addends: `the transactions up to sequence number ${totalsSequence}`,
    };
    yield* this.#compare(days, this.#days, ofDays);
    yield* this.#compare(months, ofMonths, OF_MONTHS);
    return undefined;
  }

  *#compare(
    stored: readonly StoredTotal[],
    sums: TotalsSum,
    compared: Compared,
  ): Generator<Disagreement, undefined> {
    for (const total of stored) {
      const { period, currencyCode, status } = total;
      const sum = sums.take(period, currencyCode, status) ?? { count: 0, amountMinor: 0n };
      if (total.count === sum.count && total.amountMinor === sum.amountMinor) continue;
      yield this.#differing(total, showCounted(total), sum, compared);
    }
    for (const sum of sums.list())
      yield this.#differing({ ...sum, period: sum.day as number }, 'nothing', sum, compared);
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
