const NULL = -1;

/**
 * Writes messages to the server into one buffer.
 *
 * Source: postgresql.org/docs/current/protocol-message-formats.html.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(16_384);
  #at = 0;
  #lengthAt = 0;

  /** Begins a message of this kind. The message ends where the next one begins. */
  begin(kind: string): this {
    this.#closeMessage();
    this.#makeRoom(5);
    this.#bytes[this.#at] = kind.charCodeAt(0);
    this.#lengthAt = this.#at + 1;
    this.#at += 5;
    return this;
  }

  int16(value: number): this {
    this.#makeRoom(2);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
    return this;
  }

  int32(value: number): this {
    this.#makeRoom(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
    return this;
  }

  /** Writes a text and a zero byte, as for names and statements. */
  name(text: string): this {
    this.#write(text);
    this.#makeRoom(1);
    this.#bytes[this.#at++] = 0;
    return this;
  }

  /** Writes the length of a text and the text, or NULL, as for values. */
  value(text: string | null): this {
    if (text === null) return this.int32(NULL);
    this.int32(0);
    const from = this.#at;
    this.#write(text);
    this.#bytes.writeInt32BE(this.#at - from, from - 4);
    return this;
  }

  take(): Buffer {
    this.#closeMessage();
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  #write(text: string): void {
    // A UTF-16 code unit takes at most three bytes.
    this.#makeRoom(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at);
  }

  #closeMessage(): void {
    if (this.#at > 0) this.#bytes.writeInt32BE(this.#at - this.#lengthAt, this.#lengthAt);
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
