/** Used instead of a Set, because a Set often allocates a new table in V8's old generation. */
export class Slots<Value extends object> implements Iterable<Value> {
  readonly #values: (Value | null)[] = [];
  readonly #free: number[] = [];

  add(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    return slot;
  }

  remove(slot: number): void {
    this.#values[slot] = null;
    this.#free.push(slot);
  }

  *[Symbol.iterator](): Generator<Value> {
    for (const value of this.#values) if (value !== null) yield value;
  }
}
