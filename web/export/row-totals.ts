import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import type { TotalsRow } from '../../client/src/totals.ts';
import type { Transaction } from '../../client/src/transaction.ts';

/** What transactions add up to, for each currency and status. */
export class RowTotals {
  readonly #sums = new Map<string, { currencyCode: string; status: string; count: number; minor: bigint }>();
  rows = 0;

  add({ currencyCode, status, amount }: Transaction): void {
    this.rows++;
    const key = `${currencyCode} ${status}`;
    const sum = this.#sums.get(key) ?? { currencyCode, status, count: 0, minor: 0n };
    this.#sums.set(key, { ...sum, count: sum.count + 1, minor: sum.minor + toMinorUnits(amount) });
  }

  /** In the order of the service: by currency and status. */
  get data(): TotalsRow[] {
    return [...this.#sums]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { minor, ...sum }]) => ({ ...sum, amount: fromMinorUnits(minor) }));
  }
}
