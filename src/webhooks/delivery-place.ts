/**
 * How far an endpoint's deliveries are: a change is settled when it is delivered, is not wanted, or is kept as a failure. Changes are settled
 * out of order, and acknowledged in order.
 */
export class DeliveryPlace {
  #acknowledged: number;
  readonly #settled = new Set<number>();

  constructor(acknowledged: number) {
    this.#acknowledged = acknowledged;
  }

  /** Every change up to this number is settled. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  isSettled(sequence: number): boolean {
    return sequence <= this.#acknowledged || this.#settled.has(sequence);
  }

  settle(sequence: number): void {
    if (sequence > this.#acknowledged) this.#settled.add(sequence);
    while (this.#settled.delete(this.#acknowledged + 1)) this.#acknowledged++;
  }

  /** Every change up to a number was settled by another instance. */
  advance(acknowledged: number): void {
    if (acknowledged <= this.#acknowledged) return;
    this.#acknowledged = acknowledged;
    for (const sequence of this.#settled) if (sequence <= acknowledged) this.#settled.delete(sequence);
    this.settle(acknowledged);
  }
}
