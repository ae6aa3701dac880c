import type { Total } from '../totals/totals.ts';
import { TotalsSum } from '../totals/totals-sum.ts';
import type { Transaction } from '../transaction.ts';

interface RowTotal {
  currencyCode: string;
  status: string;
  count: number;
  /** The part of the sum that is not in `sumMinor` yet: adding to a number is far cheaper than to a bigint. */
  partMinor: number;
  sumMinor: bigint;
}

/** One more amount, which is below 10^15, keeps a part within 2^53. */
const MAX_PART_MINOR = 2 ** 52;

/** Adds up the transactions of an export, for each currency and status. */
export class RowTotals {
  readonly #totals = new Map<string, Map<string, RowTotal>>();
  #last: RowTotal | undefined;

  add({ currencyCode, status, amountMinor }: Transaction): void {
    let total = this.#last;
    if (total?.currencyCode !== currencyCode || total.status !== status) {
      total = this.#find(currencyCode, status);
      this.#last = total;
    }
    total.count++;
    total.partMinor += amountMinor;
    if (total.partMinor > MAX_PART_MINOR || total.partMinor < -MAX_PART_MINOR) {
      total.sumMinor += BigInt(total.partMinor);
      total.partMinor = 0;
    }
  }

  /** The totals in the order of currency and status. */
  list(): Total[] {
    const sum = new TotalsSum();
    for (const ofCurrency of this.#totals.values()) {
      for (const { currencyCode, status, count, partMinor, sumMinor } of ofCurrency.values())
        sum.add({ day: null, currencyCode, status, count, amountMinor: sumMinor + BigInt(partMinor) });
    }
    return sum.list();
  }

  #find(currencyCode: string, status: string): RowTotal {
    let ofCurrency = this.#totals.get(currencyCode);
    if (ofCurrency === undefined) {
      ofCurrency = new Map();
      this.#totals.set(currencyCode, ofCurrency);
    }
    let total = ofCurrency.get(status);
    if (total === undefined) {
      total = { currencyCode, status, count: 0, partMinor: 0, sumMinor: 0n };
      ofCurrency.set(status, total);
    }
    return total;
  }
}

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
