import { formatSum } from '../../../values/amount.ts';
import { dayOf, formatDay } from '../../../values/calendar.ts';
import { PENDING } from '../../../values/status.ts';
import { stateUpTo } from '../../ledger/changes/change.ts';
import { type DaySum, TotalsSum } from '../../ledger/totals/total.ts';
import type { Disagreement } from '../disagreement.ts';
import type { StoredRow, TotalsChunk } from '../stored-rows.ts';

export function totalsComparison(account: string, stored: TotalsChunk) {
  const days = new TotalsSum();
  const differing = ({ day, currencyCode, status }: DaySum, found: string, sum: Counted): Disagreement => ({
    check: 'totals',
    account,
    place: `daily total of ${isDay(day) ? formatDay(day) : `day ${day}`} ${currencyCode} ${status}`,
    found,
    contradicts: `the transactions up to sequence number ${stored.upTo} add up to ${showCounted(sum)}`,
  });
  return {
    add(row: StoredRow): void {
      const { createdAtMs, currencyCode, status, amountMinor } = row;
      const state = stateUpTo(row, stored.upTo);
      if (state === undefined) return;
      const statusThen = state === 'pending' ? PENDING : (status ?? '');
      days.addRow(dayOf(createdAtMs), currencyCode ?? '', statusThen, amountMinor ?? 0);
    },

    /** Call this after `add` was called for every transaction of the compared days. */
    disagreements(): Disagreement[] {
      const ofStored = stored.days.flatMap((total) => {
        const sum = days.take(total.day, total.currencyCode, total.status) ?? NOTHING;
        const isSame = total.count === sum.count && total.amountMinor === sum.amountMinor;
        return isSame ? [] : [differing(total, showCounted(total), sum)];
      });
      return [...ofStored, ...days.list().map((sum) => differing(sum as DaySum, 'nothing', sum))];
    },
  };
}

type Counted = Pick<DaySum, 'count' | 'amountMinor'>;

const showCounted = ({ count, amountMinor }: Counted) =>
  `${formatSum(amountMinor)} in ${count} ${count === 1 ? 'transaction' : 'transactions'}`;

const NOTHING: Counted = { count: 0, amountMinor: 0n };

const MAX_DAY = 100_000_000;

/** The day of a damaged total can be any number, even a number that JavaScript cannot represent as a day. */
export const isDay = (day: number): boolean => Math.abs(day) <= MAX_DAY;
