import type { Transaction } from '../state/api.ts';
import type { FileOrder } from '../state/file-order.ts';
import type { Left } from '../state/left.ts';
import { FileParts } from './file-parts.ts';
import { type CsvColumn, columnsOf, csvColumns, csvLine } from './found-file.ts';
import type { RowsWriter } from './rows-file.ts';

interface Row {
  transaction: Transaction;
  left: Left | undefined;
}

export class CsvFile implements RowsWriter {
  readonly maxRows = Number.POSITIVE_INFINITY;
  readonly #columns: readonly CsvColumn<Row>[];
  readonly #parts = new FileParts('text/csv;charset=utf-8');
  readonly #encoder = new TextEncoder();

  constructor({ zone, extra }: FileOrder) {
    const ofTransaction: readonly CsvColumn<Transaction>[] = [
      ...csvColumns(zone),
      ...columnsOf(extra?.fields ?? []),
    ];
    this.#columns = [
      ...ofTransaction.map(([name, text]) => [name, ({ transaction }: Row) => text(transaction)] as const),
      ['leftOfPayment', ({ left }) => left?.amount],
      ['leftOfPaymentCurrencyCode', ({ left }) => left?.currencyCode],
    ];
    this.#add(this.#columns.map(([name]) => name).join(','));
  }

  add(transaction: Transaction, left: Left | undefined): boolean {
    this.#add(csvLine(this.#columns, { transaction, left }));
    return false;
  }

  async end(): Promise<Blob> {
    return this.#parts.content();
  }

  #add(line: string): void {
    this.#parts.add(this.#encoder.encode(`${line}\r\n`));
  }
}
