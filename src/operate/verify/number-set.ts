const CHUNK_BITS = 8192;

/** The bits are in chunks, so that distant numbers take little memory. */
export class NumberSet {
  readonly #chunks = new Map<number, Uint32Array>();
  size = 0;

  add(value: number): boolean {
    const at = value % CHUNK_BITS;
    const key = (value - at) / CHUNK_BITS;
    const chunk = this.#chunks.get(key) ?? new Uint32Array(CHUNK_BITS / 32);
    const bit = 1 << (at & 31);
    if (((chunk[at >>> 5] as number) & bit) !== 0) return false;
    (chunk[at >>> 5] as number) |= bit;
    this.#chunks.set(key, chunk);
    this.size++;
    return true;
  }

  *gaps(last: number): Generator<{ from: number; to: number }> {
    let next = 1;
    for (const [key, chunk] of [...this.#chunks].sort(([left], [right]) => left - right))
      for (let at = 0; at < CHUNK_BITS && key * CHUNK_BITS + at <= last; at++) {
        if (((chunk[at >>> 5] as number) & (1 << (at & 31))) === 0) continue;
        const value = key * CHUNK_BITS + at;
        if (value > next) yield { from: next, to: value - 1 };
        next = value + 1;
      }
    if (next <= last) yield { from: next, to: last };
  }
}
