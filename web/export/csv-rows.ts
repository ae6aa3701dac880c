import { TRANSACTION_FIELDS, type Transaction } from '../../client/src/transaction.ts';
import { guardedCsvCell } from '../../src/values/csv-cell.ts';
import { FileParts } from './file-parts.ts';
import type { RowsWriter } from './rows-file.ts';

const FIELDS = Object.keys(TRANSACTION_FIELDS) as (keyof Transaction)[];
const HEADER = `${FIELDS.join(',')}\r\n`;
/** Characters of a piece. */
const PIECE_LENGTH = 256 * 1024;

/** CSV with the columns and the bytes of an export of the service. */
export class CsvRows implements RowsWriter {
  readonly maxRows = Number.POSITIVE_INFINITY;
  readonly #encoder = new TextEncoder();
  readonly #parts = new FileParts('text/csv;charset=utf-8');
  #text = HEADER;

  add(row: Transaction): boolean {
    this.#text += `${FIELDS.map((field) => guardedCsvCell(row[field] ?? '')).join(',')}\r\n`;
    if (this.#text.length < PIECE_LENGTH) return false;
    this.#flush();
    return true;
  }

  end(): Blob {
    this.#flush();
    return this.#parts.content();
  }

  #flush(): void {
    this.#parts.add(this.#encoder.encode(this.#text));
    this.#text = '';
  }
}
