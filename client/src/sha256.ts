// The client has its own SHA-256: browsers cannot hash a stream, and on http pages they cannot hash at all.

/** The fractional parts of the cube roots of the first 64 primes. Source: FIPS 180-4, 4.2.2. */
const ROUNDS = new Int32Array(64);
/** The fractional parts of the square roots of the first 8 primes. Source: FIPS 180-4, 5.3.3. */
const START = new Int32Array(8);

for (let number = 2, count = 0; count < 64; number++) {
  let divisor = 2;
  while (number % divisor !== 0) divisor++;
  if (divisor < number) continue;
  if (count < 8) START[count] = (Math.sqrt(number) % 1) * 2 ** 32;
  ROUNDS[count++] = (Math.cbrt(number) % 1) * 2 ** 32;
}

const BLOCK_BYTES = 64;

export const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

export class Sha256 {
  readonly #state = START.slice();
  readonly #rest = new Uint8Array(BLOCK_BYTES);
  #bytes = 0;

  update(bytes: Uint8Array): void {
    const filled = this.#bytes % BLOCK_BYTES;
    this.#bytes += bytes.length;
    let from = 0;
    if (filled > 0) {
      from = BLOCK_BYTES - filled;
      this.#rest.set(bytes.subarray(0, from), filled);
      if (bytes.length < from) return;
      addBlocks(this.#state, this.#rest, 0, BLOCK_BYTES);
    }
    const to = bytes.length - ((bytes.length - from) % BLOCK_BYTES);
    addBlocks(this.#state, bytes, from, to);
    this.#rest.set(bytes.subarray(to));
  }

  /** Returns the hash in lower-case hexadecimal. Call this once, at the end. */
  hex(): string {
    const bits = this.#bytes * 8;
    const filled = this.#bytes % BLOCK_BYTES;
    const padding = new Uint8Array((filled < 56 ? 64 : 128) - filled);
    const view = new DataView(padding.buffer);
    padding[0] = 0x80;
    view.setUint32(padding.length - 8, bits / 2 ** 32);
    view.setUint32(padding.length - 4, bits);
    this.update(padding);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

const schedule = new Int32Array(64);

const rotated = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** The bytes from `from` to `to` must be complete blocks. Source: FIPS 180-4, 6.2.2. */
function addBlocks(state: Int32Array, bytes: Uint8Array, from: number, to: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [w, k] = [schedule, ROUNDS];
  for (let at = from; at < to; at += BLOCK_BYTES) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15] as number;
      const y = w[i - 2] as number;
      const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
      const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
      w[i] = s0 + (w[i - 7] as number) + s1 + (w[i - 16] as number);
    }
    // Destructuring would make the engine add floating-point numbers, which is three times slower.
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    let e = state[4] as number;
    let f = state[5] as number;
    let g = state[6] as number;
    let h = state[7] as number;
    for (let i = 0; i < 64; i++) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const choice = g ^ (e & (f ^ g));
      const majority = (a & b) | (c & (a | b));
      const t = (h + s1 + choice + (k[i] as number) + (w[i] as number)) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t) | 0;
      d = c;
      c = b;
      b = a;
      a = (t + s0 + majority) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] = (state[i] as number) + word;
    });
  }
}
