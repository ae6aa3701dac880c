import { randomLetters } from './keys.ts';
import { compareNewestFirst, type Position, type Transaction } from './transaction.ts';

/** A transaction that was recorded for the first time, or that took another status. */
export type Change = {
  sequence: number;
  /** Never that of another change, also if its number is given again after a restore. */
  id: string;
  previousStatus: string | null;
  recordedAtMs: number;
  transaction: Transaction;
};

/** The transactions of one account, in the order of the list, and their changes, in the order of recording. */
export class Ledger {
  readonly changes: Change[] = [];
  readonly references = new Map<string, Transaction>();
  /** The first response to each idempotency key. */
  readonly idempotencyKeys = new Map<string, { fields: string; transaction: Transaction }>();
  #newestFirst: Transaction[] = [];
  #waiting = new Set<() => void>();

  get headSequence(): number {
    return this.changes.length;
  }

  /** The id of the change with a number; null without one. */
  idAt(sequence: number): string | null {
    return this.changes[sequence - 1]?.id ?? null;
  }

  /** The number of the first or of the last change of a transaction. */
  sequenceOf(reference: string, which: 'first' | 'last'): number {
    const isOwn = ({ transaction }: Change) => transaction.reference === reference;
    return (which === 'first' ? this.changes.findIndex(isOwn) : this.changes.findLastIndex(isOwn)) + 1;
  }

  /** The transactions after a position, or all. */
  *after(position: Position | undefined): Generator<Transaction> {
    let index = position === undefined ? 0 : this.#indexAfter(position);
    for (; index < this.#newestFirst.length; index++) yield this.#newestFirst[index] as Transaction;
  }

  /** All transactions as they are now: later changes do not change the result. */
  snapshot(): Transaction[] {
    return this.#newestFirst.slice();
  }

  /** Adds a transaction, or puts its new state in the place of the old one. */
  save(transaction: Transaction, recordedAtMs: number): void {
    const previous = this.references.get(transaction.reference);
    this.references.set(transaction.reference, transaction);
    const end = this.#indexAfter(transaction);
    if (previous === undefined) this.#newestFirst.splice(end, 0, transaction);
    else this.#newestFirst[end - 1] = transaction;
    const sequence = this.changes.length + 1;
    const previousStatus = previous?.status ?? null;
    const id = `chg_${randomLetters(22)}`;
    this.changes.push({ sequence, id, previousStatus, recordedAtMs, transaction });
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next change, or after so many milliseconds. */
  async nextChange(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      this.#waiting.add(wake);
    });
  }

  /** Ends all waiting, when the service stops. */
  wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }

  /** The index of the first transaction after a position, by bisection. */
  #indexAfter(position: Position): number {
    let [low, high] = [0, this.#newestFirst.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareNewestFirst(this.#newestFirst[middle] as Transaction, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
