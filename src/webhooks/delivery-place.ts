import type { Change } from '../ledger/changes/change.ts';

/** Which change has a number. */
export type ChangeKey = Pick<Change, 'sequence' | 'nonce'>;

/**
 * How far an endpoint's deliveries are: a change is settled when it is delivered, is not wanted, or is kept as a failure. Changes are settled
 * out of order, and acknowledged in order.
 */
export class DeliveryPlace {
  #acknowledged: number;
  /** Null if this instance did not settle the last acknowledged change. */
  #nonce: number | null = null;
  /** The nonces of the changes that are settled and not acknowledged, by their numbers. */
  readonly #settled = new Map<number, number>();

  constructor(acknowledged: number) {
    this.#acknowledged = acknowledged;
  }

  /** Every change up to this number is settled. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** That of the change `acknowledged`; null if another instance settled it. */
  get nonce(): number | null {
    return this.#nonce;
  }

  isSettled(sequence: number): boolean {
    return sequence <= this.#acknowledged || this.#settled.has(sequence);
  }

  settle({ sequence, nonce }: ChangeKey): void {
    if (sequence > this.#acknowledged) this.#settled.set(sequence, nonce);
    this.#acknowledge();
  }

  /** Every change up to a number was settled by another instance. */
  advance(acknowledged: number): void {
    if (acknowledged <= this.#acknowledged) return;
    this.#acknowledged = acknowledged;
    this.#nonce = this.#settled.get(acknowledged) ?? null;
    for (const sequence of this.#settled.keys()) if (sequence <= acknowledged) this.#settled.delete(sequence);
    this.#acknowledge();
  }

  #acknowledge(): void {
    for (;;) {
      const next = this.#acknowledged + 1;
      const nonce = this.#settled.get(next);
      if (nonce === undefined) return;
      this.#settled.delete(next);
      this.#acknowledged = next;
      this.#nonce = nonce;
    }
  }
}
