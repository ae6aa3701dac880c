import { createHash } from 'node:crypto';
import type { ExportPart, ExportResult } from './export.ts';

/** In UTF-8, of a UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3;

interface Piece {
  after: string | null;
  rows: number;
  bytes: number;
  hash: ReturnType<typeof createHash>;
}

/** Collects the lines of an export as bytes, with the hashes of the whole and of each part. */
export class ExportBytes {
  #text: string;
  readonly #whole: Piece = newPiece(null);
  /** Null in the first part, which is the whole so far. */
  #part: Piece | null = null;
  readonly #ended: ExportPart[] = [];

  /** The memory of all pieces. A new buffer for each of them would be garbage to collect. */
  #memory = Buffer.alloc(0);

  constructor(header: string) {
    this.#text = header;
  }

  /** How many characters are collected since the last bytes were taken. */
  get collected(): number {
    return this.#text.length;
  }

  add(line: string): void {
    this.#text += line;
    this.#whole.rows++;
    if (this.#part !== null) this.#part.rows++;
  }

  /** The bytes of the lines since the last call, until the next call. */
  take(): Uint8Array {
    const mostBytes = this.#text.length * MAX_BYTES_PER_CHARACTER;
    if (this.#memory.length < mostBytes) this.#memory = Buffer.allocUnsafeSlow(mostBytes);
    const bytes = this.#memory.subarray(0, this.#memory.write(this.#text));
    this.#text = '';
    for (const piece of [this.#whole, this.#part]) {
      if (piece === null) continue;
      piece.hash.update(bytes);
      piece.bytes += bytes.length;
    }
    return bytes;
  }

  /** Ends a part with the last line that was added, which is of the transaction `reference`. */
  endPart(reference: string): void {
    this.take();
    this.#ended.push(partOf(this.#part ?? this.#whole));
    this.#part = newPiece(reference);
  }

  /** The result once all bytes were taken. */
  result(): Omit<ExportResult, 'finishedAtMs'> {
    const { rows, bytes, sha256 } = partOf(this.#whole);
    return { rows, bytes, sha256, parts: [...this.#ended, partOf(this.#part ?? this.#whole)] };
  }
}

const newPiece = (after: string | null): Piece => ({ after, rows: 0, bytes: 0, hash: createHash('sha256') });

function partOf({ after, rows, bytes, hash }: Piece): ExportPart {
  return { after, rows, bytes, sha256: hash.copy().digest('hex') };
}
