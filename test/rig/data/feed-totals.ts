import type { ChangeBody } from '../../../src/ledger/changes/http/change-schemas.ts';
import type { TransactionBody } from '../../../src/ledger/http/transaction-schemas.ts';
import type { TotalBody } from '../../../src/ledger/totals/http/totals-schemas.ts';
import { decimal } from '../../model/transactions.ts';

/** The parameters of a request for totals. */
export type TotalsParameters = Partial<Record<'status' | 'currency' | 'from' | 'to' | 'by', string>>;

interface Cell {
  day: string;
  currencyCode: string;
  status: string;
  count: number;
  hundredths: bigint;
}

/** The transactions of an account added up, one by one and without the service's own code. */
export class FeedTotals {
  readonly #cells = new Map<string, Cell>();

  /** Adds the next change of the account. */
  apply({ previousStatus, transaction }: Pick<ChangeBody, 'previousStatus' | 'transaction'>): void {
    if (previousStatus !== null) this.#add({ ...transaction, status: previousStatus }, -1);
    this.#add(transaction, 1);
  }

  /** The rows of the response to a request for totals. */
  rows({ status, currency, from, to, by }: TotalsParameters): TotalBody[] {
    const sums = new Map<string, Cell>();
    for (const cell of this.#cells.values()) {
      if (status !== undefined && cell.status !== status) continue;
      if (currency !== undefined && cell.currencyCode !== currency) continue;
      // Days in the form YYYY-MM-DD have the order of their texts.
      if ((from !== undefined && cell.day < from) || (to !== undefined && cell.day > to)) continue;
      const day = { day: cell.day, month: cell.day.slice(0, 7) }[by ?? ''] ?? '';
      const name = `${day} ${cell.currencyCode} ${cell.status}`;
      const { count, hundredths } = sums.get(name) ?? { count: 0, hundredths: 0n };
      sums.set(name, {
        ...cell,
        day,
        count: count + cell.count,
        hundredths: hundredths + cell.hundredths,
      });
    }
    return [...sums]
      .filter(([, { count }]) => count > 0)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { day, hundredths, ...row }]) => ({
        ...(by !== undefined && { [by]: day }),
        ...row,
        amount: decimal(hundredths),
      }));
  }

  #add({ createdAt, currencyCode, status, amount }: TransactionBody, by: 1 | -1): void {
    const day = createdAt.slice(0, 10);
    const name = `${day} ${currencyCode} ${status}`;
    const { count, hundredths } = this.#cells.get(name) ?? { count: 0, hundredths: 0n };
    this.#cells.set(name, {
      day,
      currencyCode,
      status,
      count: count + by,
      hundredths: hundredths + BigInt(by) * BigInt(amount.replace('.', '')),
    });
  }
}
