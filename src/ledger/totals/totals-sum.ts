import { monthOf } from '../../values/calendar.ts';
import type { DaySum, Total } from './totals.ts';

/** Adds totals up, for each day, currency and status. */
export class TotalsSum {
  readonly #totals = new Map<string, Total>();

  add({ day, currencyCode, status, count, amountMinor }: Total): void {
    const key = `${day} ${currencyCode} ${status}`;
    const total = this.#totals.get(key);
    if (total === undefined) {
      this.#totals.set(key, { day, currencyCode, status, count, amountMinor });
      return;
    }
    total.count += count;
    total.amountMinor += amountMinor;
  }

  /** The totals that are not empty, in the order of day, currency and status. */
  list(): Total[] {
    return [...this.#totals.values()].filter((total) => !isEmpty(total)).sort(compareTotals);
  }
}

/** By day, currency and status. */
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

/** What changes add to the totals of a month. */
export interface MonthSum extends Omit<DaySum, 'day'> {
  /** Counted from January 1970. */
  month: number;
}

/** What sums of days add to the totals of their months. */
export function monthSums(sums: readonly DaySum[]): MonthSum[] {
  const byMonth = new TotalsSum();
  for (const sum of sums) byMonth.add({ ...sum, day: monthOf(sum.day) });
  return byMonth.list().map(({ day, ...sum }) => ({ ...sum, month: day as number }));
}
