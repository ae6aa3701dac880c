const CHUNK_BITS = 8192;
const CHUNK_WORDS = CHUNK_BITS / 32;

/** A set of positive whole numbers with one bit for each, in chunks, so that distant numbers cost little. */
export class NumberSet {
  readonly #chunks = new Map<number, Uint32Array>();
  #size = 0;
  // The chunk that was used last. The next number is usually in it.
  #key = -1;
  #chunk: Uint32Array | undefined;

  get size(): number {
    return this.#size;
  }

  add(value: number): boolean {
    const offset = this.#find(value);
    if (this.#chunk === undefined) {
      this.#chunk = new Uint32Array(CHUNK_WORDS);
      this.#chunks.set(this.#key, this.#chunk);
    }
    const word = this.#chunk[offset >>> 5] as number;
    const bit = 1 << (offset & 31);
    if ((word & bit) !== 0) return false;
    this.#chunk[offset >>> 5] = word | bit;
    this.#size++;
    return true;
  }

  *gaps(last: number): Generator<{ from: number; to: number }, undefined> {
    let next = 1;
    for (const [key, chunk] of this.#inOrder()) {
      for (const [index, word] of chunk.entries()) {
        const start = key * CHUNK_BITS + index * 32;
        if (word === 0xffff_ffff && start <= next) {
          next = start + 32;
          continue;
        }
        for (let bit = 0; bit < 32; bit++) {
          const value = start + bit;
          if ((word & (1 << bit)) === 0) continue;
          if (value > last) break;
          if (value > next) yield { from: next, to: value - 1 };
          next = value + 1;
        }
      }
    }
    if (next <= last) yield { from: next, to: last };
    return undefined;
  }

  #inOrder(): [number, Uint32Array][] {
    return [...this.#chunks].sort(([left], [right]) => left - right);
  }

  #find(value: number): number {
    const offset = value % CHUNK_BITS;
    const key = (value - offset) / CHUNK_BITS;
    if (key !== this.#key || this.#chunk === undefined) {
      this.#key = key;
      this.#chunk = this.#chunks.get(key);
    }
    return offset;
  }
}
