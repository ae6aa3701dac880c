const PIECE_BYTES = 4 * 1024 * 1024;
const TYPE = 'text/csv;charset=utf-8';

/** The bytes of a file that grows. Most of them are in Blobs, which browsers can move out of memory. */
export class FileParts {
  #pieces: Blob[] = [];
  #newest: Uint8Array<ArrayBuffer>[] = [];
  #newestBytes = 0;

  add(bytes: Uint8Array): void {
    // A copy, because the bytes can be a part of a larger buffer.
    this.#newest.push(bytes.slice());
    this.#newestBytes += bytes.length;
    if (this.#newestBytes >= PIECE_BYTES) this.#seal();
  }

  /** All bytes so far. */
  content(): Blob {
    this.#seal();
    return new Blob(this.#pieces, { type: TYPE });
  }

  #seal(): void {
    if (this.#newest.length === 0) return;
    this.#pieces.push(new Blob(this.#newest));
    this.#newest = [];
    this.#newestBytes = 0;
  }
}
