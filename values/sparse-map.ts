export class SparseMap<Key, Value> {
  #entries: Map<Key, Value> | undefined;

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  get(key: Key): Value | undefined {
    return this.#entries?.get(key);
  }

  has(key: Key): boolean {
    return this.#entries?.has(key) ?? false;
  }

  set(key: Key, value: Value): void {
    this.#entries ??= new Map();
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    const isDeleted = this.#entries?.delete(key) ?? false;
    if (this.#entries?.size === 0) this.#entries = undefined;
    return isDeleted;
  }

  clear(): void {
    this.#entries = undefined;
  }

  keys(): Iterable<Key> {
    return this.#entries?.keys() ?? [];
  }

  values(): Iterable<Value> {
    return this.#entries?.values() ?? [];
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return (this.#entries ?? new Map<Key, Value>())[Symbol.iterator]();
  }
}
