import { parseAmount } from '../../values/amount.ts';
import type { Transaction } from '../src/transaction.ts';
import type { Difference, LineValues } from './find-differences.ts';

export type ComparisonClass = 'equal' | Difference['kind'];

export const COMPARISON_CLASSES: readonly ComparisonClass[] = [
  'equal',
  'missing_here',
  'missing_there',
  'differing',
];

export interface Sum {
  count: number;
  amountMinor: bigint;
}

export interface SumRow {
  class: ComparisonClass;
  currencyCode: string | null;
  file: Sum;
  account: Sum;
}

export class ReconcileSums {
  readonly #rows = new Map<string, SumRow>();

  addTransaction(transaction: Transaction): void {
    add(this.#row('equal', transaction.currencyCode).account, transaction.amount, 1);
  }

  removeTransaction(transaction: Transaction): void {
    add(this.#row('equal', transaction.currencyCode).account, transaction.amount, -1);
  }

  addDifference({ kind, file, account }: Difference): void {
    if (account !== null) {
      const { amount, currencyCode } = account;
      add(this.#row('equal', currencyCode).account, amount, -1);
      add(this.#row(kind, currencyCode).account, amount, 1);
    }
    if (file !== null) add(this.#row(kind, currencyOf(file, account)).file, file.amount ?? null, 1);
  }

  rows(): SumRow[] {
    return [...this.#rows.values()]
      .map((row) => (row.class === 'equal' ? { ...row, file: row.account } : row))
      .filter(({ file, account }) => file.count > 0 || account.count > 0)
      .sort((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1));
  }

  #row(of: ComparisonClass, currencyCode: string | null): SumRow {
    const name = `${of} ${currencyCode}`;
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = { class: of, currencyCode, file: noSum(), account: noSum() };
      this.#rows.set(name, row);
    }
    return row;
  }
}

const currencyOf = (file: LineValues, account: Transaction | null): string | null =>
  file.currencyCode ?? (file.currencyCode === undefined ? (account?.currencyCode ?? null) : null);

const noSum = (): Sum => ({ count: 0, amountMinor: 0n });

function add(sum: Sum, amount: string | null, times: 1 | -1): void {
  sum.count += times;
  if (amount !== null) sum.amountMinor += BigInt((parseAmount(amount) ?? 0) * times);
}

const placeOf = (row: SumRow) => `${COMPARISON_CLASSES.indexOf(row.class)} ${row.currencyCode ?? ''}`;
