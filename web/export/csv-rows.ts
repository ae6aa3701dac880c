import type { Transaction } from '../../client/src/transaction.ts';
import { guardedCsvCell } from '../../src/values/csv-cell.ts';
import { FileParts } from './file-parts.ts';
import type { RowsWriter } from './rows-file.ts';

const HEADER = 'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt\r\n';
/** Characters of a piece. */
const PIECE_LENGTH = 256 * 1024;

/** CSV with the columns and the bytes of an export of the service. */
export class CsvRows implements RowsWriter {
  readonly maxRows = Number.POSITIVE_INFINITY;
  readonly #encoder = new TextEncoder();
  readonly #parts = new FileParts('text/csv;charset=utf-8');
  #text = HEADER;

  add({ reference, merchantReference, status, ...row }: Transaction): boolean {
    const texts = [reference, merchantReference ?? '', status].map(guardedCsvCell);
    this.#text += `${[...texts, row.amount, row.currencyCode, row.paidAt ?? '', row.createdAt].join(',')}\r\n`;
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
