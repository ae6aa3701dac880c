const PIECE_BYTES = 4 * 1024 * 1024;

/** Keeps most bytes in Blobs, which browsers can move out of memory. */
export class FileParts {
  readonly #type: string;
  #pieces: Blob[] = [];
  #newest: Uint8Array<ArrayBuffer>[] = [];
  #newestBytes = 0;

  constructor(type: string) {
    this.#type = type;
  }

  add(bytes: Uint8Array): void {
    // The bytes are copied, because they may be part of a larger buffer.
    this.#newest.push(bytes.slice());
    this.#newestBytes += bytes.length;
    if (this.#newestBytes >= PIECE_BYTES) this.#seal();
  }

  content(): Blob {
    this.#seal();
    return new Blob(this.#pieces, { type: this.#type });
  }

  #seal(): void {
    if (this.#newest.length === 0) return;
    this.#pieces.push(new Blob(this.#newest));
    this.#newest = [];
    this.#newestBytes = 0;
  }
}
