import { createHash } from 'node:crypto';
import type { ExportResult } from './export.ts';

/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Collects the lines of an export as bytes, and hashes them. */
export class ExportBytes {
  #text: string;
  #rows = 0;
  #bytes = 0;
  readonly #hash = createHash('sha256');

  /** The memory of all pieces: a new buffer for each piece would have to be garbage-collected. */
  #memory = Buffer.alloc(0);

  constructor(header: string) {
    this.#text = header;
  }

  /** How many characters were collected since the last `take`. */
  get collected(): number {
    return this.#text.length;
  }

  add(line: string): void {
    this.#text += line;
    this.#rows++;
  }

  /** The bytes of the lines since the last call. They are valid until the next call. */
  take(): Uint8Array {
    const mostBytes = this.#text.length * MAX_BYTES_PER_CHARACTER;
    if (this.#memory.length < mostBytes) this.#memory = Buffer.allocUnsafeSlow(mostBytes);
    const bytes = this.#memory.subarray(0, this.#memory.write(this.#text));
    this.#text = '';
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    return bytes;
  }

  /** Call once all bytes were taken. */
  result(): Omit<ExportResult, 'finishedAtMs'> {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
