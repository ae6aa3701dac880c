import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { VerifyReader } from '../../src/operate/verify/verify-reader.ts';
import { completed, recordOrWait } from '../rig/data/changes.ts';
import { DAY, transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { importInto } from '../rig/store/import.ts';
import type { VerifiedStore } from './healthy-database.ts';

const DAYS = ['1969-12-31', '1970-01-01', '2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'].map(DAY);
const LARGEST_MINOR = 999_999_999_999_999;
export const ACCOUNTS = ['store-1', 'store-2'];

/** Everything that changes a database while it is used, one step at a time, at random. */
export class RandomLoad {
  readonly #store: VerifiedStore;
  readonly #random: Random;
  readonly #pending: AccountTransaction[] = [];
  #count = 0;

  constructor(store: VerifiedStore, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  async step(): Promise<void> {
    const work = [
      () => this.#record(),
      () => this.#record(),
      () => this.#complete(),
      () => this.#complete(),
      () => this.#import(),
    ];
    await this.#random.pick(work)();
  }

  /** A group of new transactions, some of them pending. */
  async #record(): Promise<void> {
    const rows = Array.from({ length: this.#random.integer(1, 8) }, () => this.#next());
    await recordOrWait(this.#store, rows);
    this.#pending.push(...rows.filter(({ status }) => status === 'pending'));
  }

  async #complete(): Promise<void> {
    const count = this.#random.integer(1, 8);
    const rows = Array.from({ length: Math.min(count, this.#pending.length) }, () => this.#takePending());
    await recordOrWait(
      this.#store,
      rows.map((row) => (this.#random.chance(0.8) ? completed(row) : failed(row))),
    );
  }

  async #import(): Promise<void> {
    await importInto(
      this.#store,
      Array.from({ length: this.#random.integer(1, 20) }, () => this.#next('completed')),
    );
  }

  #takePending(): AccountTransaction {
    const [row] = this.#pending.splice(this.#random.integer(0, this.#pending.length - 1), 1);
    return row as AccountTransaction;
  }

  #next(status = this.#random.pick(['pending', 'pending', 'completed', 'refunded'])): AccountTransaction {
    const random = this.#random;
    return transaction(random.pick(ACCOUNTS), `${random.integer(0, 9)}-${++this.#count}`, {
      status,
      amountMinor: random.chance(0.2)
        ? random.pick([LARGEST_MINOR, -LARGEST_MINOR])
        : random.integer(-900, 900),
      currencyCode: random.pick(['EUR', 'JPY', 'USD']),
      merchantReference: random.chance(0.5) ? `order ${random.integer(1, 5)}` : null,
      createdAtMs: random.pick(DAYS) + random.integer(0, 3),
    });
  }
}

const failed = (row: AccountTransaction): AccountTransaction => ({ ...row, status: 'failed' });

/** A reader before each of whose reads something happens. */
export function readerBeside(reader: VerifyReader, happen: () => Promise<void>): VerifyReader {
  return new Proxy(reader, {
    get: (target, name: keyof VerifyReader) => {
      const method = target[name].bind(target) as (...values: unknown[]) => unknown;
      if (name === 'close') return method;
      return async (...values: unknown[]) => {
        await happen();
        return method(...values);
      };
    },
  });
}
