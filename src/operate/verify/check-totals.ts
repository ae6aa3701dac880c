import { formatSum } from '../../../values/amount.ts';
import { dayOf } from '../../../values/calendar.ts';
import { formatDay } from '../../../values/days.ts';
import { PENDING } from '../../../values/status.ts';
import { stateUpTo } from '../../ledger/changes/change.ts';
import { TotalsSum } from '../../ledger/totals/total.ts';
import type { Disagreement } from '../disagreement.ts';
import type { StoredRow, StoredTotal, TotalsChunk } from '../stored-rows.ts';

/** Compares stored totals with the transactions of their days, as they were at the chunk's `upTo`. */
export class TotalsComparison {
  readonly #account: string;
  readonly #stored: TotalsChunk;
  readonly #days = new TotalsSum();

  constructor(account: string, stored: TotalsChunk) {
    this.#account = account;
    this.#stored = stored;
  }

  add(row: StoredRow): void {
    const { createdAtMs, currencyCode, status, amountMinor } = row;
    const state = stateUpTo(row, this.#stored.upTo);
    if (state === undefined) return;
    const statusThen = state === 'pending' ? PENDING : (status ?? '');
    this.#days.addRow(dayOf(createdAtMs), currencyCode ?? '', statusThen, amountMinor ?? 0);
  }

  /** Call this after the last transaction of the days. */
  *disagreements(): Generator<Disagreement, undefined> {
    for (const total of this.#stored.days) {
      const sum = this.#days.take(total.day, total.currencyCode, total.status) ?? NOTHING;
      if (total.count === sum.count && total.amountMinor === sum.amountMinor) continue;
      yield this.#differing(total, showCounted(total), sum);
    }
    for (const sum of this.#days.list()) yield this.#differing(sum as StoredTotal, 'nothing', sum);
    return undefined;
  }

  #differing({ day, currencyCode, status }: StoredTotal, found: string, sum: Counted): Disagreement {
    return {
      check: 'totals',
      account: this.#account,
      place: `daily total of ${isDay(day) ? formatDay(day) : `day ${day}`} ${currencyCode} ${status}`,
      found,
      contradicts: `the transactions up to sequence number ${this.#stored.upTo} add up to ${showCounted(sum)}`,
    };
  }
}

type Counted = Pick<StoredTotal, 'count' | 'amountMinor'>;

const showCounted = ({ count, amountMinor }: Counted) =>
  `${formatSum(amountMinor)} in ${count} ${count === 1 ? 'transaction' : 'transactions'}`;

const NOTHING: Counted = { count: 0, amountMinor: 0n };

const MAX_DAY = 100_000_000;

/** A damaged total can have any number as its day, but JavaScript cannot represent every day. */
export const isDay = (day: number): boolean => Math.abs(day) <= MAX_DAY;
