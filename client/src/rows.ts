import { UnexpectedResponseError } from './errors.ts';
import type { ExportFormat } from './export-manifest.ts';

export interface Rows {
  /** Includes CSV's header. */
  bytes: Uint8Array;
  /** The number of rows, without CSV's header. */
  count: number;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const MANIFEST = new TextEncoder().encode('{"export":');
/** Damaged CSV may lack a closing quote. Without a limit, all remaining rows would become one row. */
const MAX_ROW_BYTES = 2 ** 20;

const decoder = new TextDecoder();

export class RowSplitter {
  readonly #format: ExportFormat;
  #isAtHeader: boolean;
  #rest = new Uint8Array(0);
  isAtManifest = false;

  constructor(format: ExportFormat) {
    this.#format = format;
    this.#isAtHeader = format === 'csv';
  }

  get rest(): string {
    return decoder.decode(this.#rest);
  }

  push(added: Uint8Array): Rows {
    const bytes = joined(this.#rest, added);
    let [end, count] = [0, 0];
    let quote = this.#format === 'csv' ? bytes.indexOf(QUOTE) : -1;
    while (!this.isAtManifest) {
      let lineEnd = bytes.indexOf(LINE_FEED, end);
      // Inside quotes, a line end is text.
      while (quote !== -1 && quote < lineEnd) {
        const closing = bytes.indexOf(QUOTE, quote + 1);
        if (closing === -1) lineEnd = -1;
        else if (lineEnd < closing) lineEnd = bytes.indexOf(LINE_FEED, closing);
        quote = closing === -1 ? -1 : bytes.indexOf(QUOTE, closing + 1);
      }
      if (lineEnd === -1) break;
      if (this.#format === 'ndjson' && MANIFEST.every((byte, index) => bytes[end + index] === byte)) {
        this.isAtManifest = true;
        break;
      }
      end = lineEnd + 1;
      if (!this.#isAtHeader) count++;
      this.#isAtHeader = false;
    }
    // A copy, because the caller may transfer the memory of the returned rows to another thread.
    this.#rest = bytes.slice(end);
    if (this.#rest.length > MAX_ROW_BYTES)
      throw new UnexpectedResponseError('The export is damaged: a row does not end.', null);
    return { bytes: bytes.subarray(0, end), count };
  }
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length === 0) return right;
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
