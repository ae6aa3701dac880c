import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import type { TotalsRow } from '../../client/src/totals.ts';
import type { Transaction } from '../../client/src/transaction.ts';

interface Sum {
  currencyCode: string;
  status: string;
  isPaid: boolean;
  count: number;
  minor: bigint;
}

export class RowTotals {
  readonly #sums = new Map<string, Sum>();
  rows = 0;

  add({ currencyCode, status, amount, paidAt }: Transaction): void {
    this.rows++;
    const key = `${currencyCode} ${status}`;
    // The first transaction decides `isPaid`, because a status is always paid or always unpaid.
    const sum = this.#sums.get(key) ?? { currencyCode, status, isPaid: paidAt !== null, count: 0, minor: 0n };
    this.#sums.set(key, { ...sum, count: sum.count + 1, minor: sum.minor + toMinorUnits(amount) });
  }

  get data(): TotalsRow[] {
    return [...this.#sums]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { minor, isPaid: _, ...sum }]) => ({ ...sum, amount: fromMinorUnits(minor) }));
  }

  get net(): Omit<TotalsRow, 'status'>[] {
    const paid = [...this.#sums.values()].filter(({ isPaid }) => isPaid);
    return [...Map.groupBy(paid, ({ currencyCode }) => currencyCode)].sort().map(([currencyCode, sums]) => ({
      currencyCode,
      count: sums.reduce((all, { count }) => all + count, 0),
      amount: fromMinorUnits(sums.reduce((all, { minor }) => all + minor, 0n)),
    }));
  }
}
