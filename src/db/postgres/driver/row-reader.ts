const TWO_TO_32 = 2 ** 32;
const NULL = -1;
const WORD_SLOTS = 256;

/**
 * Reads the values of one row, in binary form, from the first column to the last.
 *
 * Throws: Error instead of returning a wrong value: if the row has more or fewer columns than are read; if
 * bytes follow its last value; or if a value has an unexpected form, such as a NULL, a wrong length, or a
 * number beyond 2^53.
 */
export class RowReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #columns = 0;
  readonly #words: (string | undefined)[] = new Array(WORD_SLOTS).fill(undefined);

  /** Begins a row, at its number of columns. */
  begin(bytes: Buffer, at: number, end: number): this {
    this.#bytes = bytes;
    this.#columns = bytes.readInt16BE(at);
    this.#at = at + 2;
    this.#end = end;
    return this;
  }

  /** Ends a row: every column must have been read. */
  finish(): void {
    if (this.#columns !== 0) fail(`has more columns than are read: ${this.#columns}`);
    if (this.#at !== this.#end) fail('is longer than its values');
  }

  text(): string {
    return this.#text(this.#length());
  }

  textOrNull(): string | null {
    const length = this.#lengthOrNull();
    return length === NULL ? null : this.#text(length);
  }

  /** A short ASCII text that occurs often, such as a currency. Texts are cached. */
  word(): string {
    const length = this.#length();
    const from = this.#at;
    const bytes = this.#bytes;
    const slot = (31 * (bytes[from] ?? 0) + (bytes[from + 1] ?? 0) + length) % WORD_SLOTS;
    const cached = this.#words[slot];
    if (cached !== undefined && isWord(cached, bytes, from, length)) {
      this.#at += length;
      return cached;
    }
    const word = this.#text(length);
    this.#words[slot] = word;
    return word;
  }

  /** A database bigint, which must be a safe integer in JavaScript. */
  integer(): number {
    return this.#integer(this.#length());
  }

  integerOrNull(): number | null {
    const length = this.#lengthOrNull();
    return length === NULL ? null : this.#integer(length);
  }

  #length(): number {
    const length = this.#lengthOrNull();
    if (length === NULL) fail('has a NULL where a value is required');
    return length;
  }

  #lengthOrNull(): number {
    if (--this.#columns < 0) fail('has fewer columns than are read');
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    if (length < NULL || this.#at + (length === NULL ? 0 : length) > this.#end) fail('ends within a value');
    return length;
  }

  #text(length: number): string {
    const from = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', from, this.#at);
  }

  #integer(length: number): number {
    if (length !== 8) fail(`has a bigint of ${length} bytes`);
    const from = this.#at;
    this.#at += 8;
    const value = this.#bytes.readInt32BE(from) * TWO_TO_32 + this.#bytes.readUInt32BE(from + 4);
    if (!Number.isSafeInteger(value)) fail('has a bigint beyond 2^53');
    return value;
  }
}

function fail(what: string): never {
  throw new Error(`a row from the database ${what}`);
}

function isWord(word: string, bytes: Buffer, from: number, length: number): boolean {
  if (word.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (word.charCodeAt(index) !== bytes[from + index]) return false;
  }
  return true;
}
