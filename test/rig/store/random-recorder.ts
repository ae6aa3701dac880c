import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import type { Store } from '../../../src/store/store.ts';
import { ALL_CHANGES } from '../data/changes.ts';
import { DAY, record, transaction } from '../data/transactions.ts';
import type { Random } from '../run/random.ts';

/** Four in five transactions belong to this account. The others belong to one other account. */
export const ACCOUNT = 'store-1';
export const STATUSES = ['pending', 'completed', 'failed'];
export const CURRENCIES = ['EUR', 'USD', 'JPY'];
const LARGEST_MINOR = 999_999_999_999_999;
export const REFERENCES = [null, 'order-1', 'order-2'];

/** Records random new transactions, and completes pending ones. */
export class RandomRecorder {
  readonly #random: Random;
  readonly #pending: AccountTransaction[] = [];
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async record(store: Store, changes: number): Promise<void> {
    for (let count = 0; count < changes; count++) {
      const row = this.#next();
      await record(store, [row]);
      if (row.status === 'pending') this.#pending.push(row);
    }
  }

  #next(): AccountTransaction {
    const random = this.#random;
    if (this.#pending.length > 0 && random.chance(0.4)) {
      const [row] = this.#pending.splice(random.integer(0, this.#pending.length - 1), 1);
      const status = random.pick(['completed', 'failed']);
      const { createdAtMs } = row as AccountTransaction;
      return {
        ...(row as AccountTransaction),
        status,
        paidAtMs: status === 'completed' ? createdAtMs : null,
      };
    }
    return transaction(random.chance(0.8) ? ACCOUNT : 'store-2', `t${this.#count++}`, {
      createdAtMs: DAY('2026-03-01') + random.integer(0, 40) * 7_200_000,
      status: random.pick(STATUSES),
      currencyCode: random.pick(CURRENCIES),
      merchantReference: random.pick(REFERENCES),
      amountMinor: random.chance(0.1)
        ? random.pick([LARGEST_MINOR, -LARGEST_MINOR])
        : random.integer(-100_000, 100_000),
    });
  }
}

export async function rowsAsOf(store: Store, asOf: number): Promise<AccountTransaction[]> {
  const { changes } = await store.listChanges({ account: ACCOUNT, after: 0, limit: ALL_CHANGES });
  const rows = new Map<string, AccountTransaction>();
  for (const { sequence, transaction } of changes)
    if (sequence <= asOf) rows.set(transaction.reference, { account: ACCOUNT, ...transaction });
  return [...rows.values()];
}
