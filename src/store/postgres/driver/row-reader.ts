const TWO_TO_32 = 2 ** 32;
const NULL = -1;
const WORD_SLOTS = 256;

/** Reads the values of one row, in binary form, from the first column to the last. */
export class RowReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #words: (string | undefined)[] = new Array(WORD_SLOTS).fill(undefined);

  /** Begins a row, at its number of columns. */
  begin(bytes: Buffer, at: number): this {
    this.#bytes = bytes;
    this.#at = at + 2;
    return this;
  }

  text(): string {
    return this.#text(this.#length());
  }

  /** A short ASCII text that comes often, such as a currency: texts read before are cached. */
  word(): string {
    const length = this.#length();
    const from = this.#at;
    this.#at += length;
    const bytes = this.#bytes;
    const slot = (31 * (bytes[from] ?? 0) + (bytes[from + 1] ?? 0) + length) % WORD_SLOTS;
    const cached = this.#words[slot];
    if (cached !== undefined && isWord(cached, bytes, from, length)) return cached;
    const word = bytes.toString('latin1', from, this.#at);
    this.#words[slot] = word;
    return word;
  }

  textOrNull(): string | null {
    const length = this.#length();
    return length === NULL ? null : this.#text(length);
  }

  /** A bigint of the database that stays below 2^53. */
  integer(): number {
    return this.#integer(this.#length());
  }

  integerOrNull(): number | null {
    const length = this.#length();
    return length === NULL ? null : this.#integer(length);
  }

  #length(): number {
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    return length;
  }

  #text(length: number): string {
    const from = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', from, this.#at);
  }

  #integer(length: number): number {
    if (length !== 8) throw new Error(`the database sent a bigint of ${length} bytes`);
    const from = this.#at;
    this.#at += 8;
    return this.#bytes.readInt32BE(from) * TWO_TO_32 + this.#bytes.readUInt32BE(from + 4);
  }
}

function isWord(word: string, bytes: Buffer, from: number, length: number): boolean {
  if (word.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (word.charCodeAt(index) !== bytes[from + index]) return false;
  }
  return true;
}
