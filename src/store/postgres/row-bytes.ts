const TWO_TO_32 = 2 ** 32;
const NULL = -1;

/** Reads the values of one row as the server sent them, in binary form, from the first column to the last. */
export class RowBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Stands before the first value of a row, whose count of columns stands here. */
  begin(bytes: Buffer, at: number): this {
    this.#bytes = bytes;
    this.#at = at + 2;
    return this;
  }

  text(): string {
    return this.#text(this.#length());
  }

  textOrNull(): string | null {
    const length = this.#length();
    return length === NULL ? null : this.#text(length);
  }

  /** A bigint of the database that is known to stay below 2^53. */
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
