import type { Transaction } from '../../client/src/transaction.ts';
import { FileParts } from './file-parts.ts';
import type { RowsWriter } from './rows-file.ts';

const HEADER = 'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt\r\n';
/** Characters of a piece. */
const PIECE_LENGTH = 256 * 1024;
/** The same texts as in an export of the service for spreadsheets. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** CSV with the columns and the bytes of an export of the service. */
export class CsvRows implements RowsWriter {
  readonly maxRows = Number.POSITIVE_INFINITY;
  readonly #encoder = new TextEncoder();
  readonly #parts = new FileParts('text/csv;charset=utf-8');
  #text = HEADER;

  add({ reference, merchantReference, status, ...row }: Transaction): boolean {
    const texts = [reference, merchantReference ?? '', status].map(cell);
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

/** A cell that no spreadsheet runs as a formula. */
function cell(text: string): string {
  const guarded = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
