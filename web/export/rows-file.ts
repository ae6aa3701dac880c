import { Export } from '../../client/src/export.ts';
import { exportedTransactions } from '../../client/src/export-items.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import { createSend, type SendSettings } from '../../client/src/send.ts';
import { fetchTotals } from '../../client/src/totals.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { connect } from '../state/api.ts';
import { exportFilters, type FileOrder } from '../state/file-order.ts';
import type { Left } from '../state/left.ts';
import { nextTurn } from '../state/next-turn.ts';
import { queryOf } from '../state/route.ts';
import { CsvFile } from './csv-file.ts';
import { type FileContent, type FinishedFile, TooManyRows } from './file-content.ts';
import { Lefts } from './lefts.ts';
import { RowTotals } from './row-totals.ts';
import { Spreadsheet } from './spreadsheet.ts';

/** After this many transactions, the remaining amounts of their payments are requested. */
const AT_ONCE = 200;

/** Writes the rows of a file one by one. */
export interface RowsWriter {
  maxRows: number;
  /** Returns true if this took some milliseconds, because a piece of the file was finished. */
  add(transaction: Transaction, left: Left | undefined): boolean;
  end(file: Omit<FinishedFile, 'content'>): Promise<Blob>;
}

/**
 * A file that is made from the rows of an export: a spreadsheet, or a CSV file with columns that exports do
 * not have.
 */
export function madeFile(
  settings: SendSettings,
  account: string,
  order: FileOrder,
  signal: AbortSignal,
): FileContent {
  const newWriter = () => (order.format === 'csv' ? new CsvFile(order) : new Spreadsheet(account, order));
  return new RowsFile(settings, order, newWriter, signal);
}

class RowsFile implements FileContent {
  readonly exported: Export<Transaction>;
  restarts = 0;
  readonly #settings: SendSettings;
  readonly #order: FileOrder;
  #writer: RowsWriter;
  readonly #signal: AbortSignal;
  #totals = new RowTotals();
  /** The rows that are not written yet. */
  #newest: Transaction[] = [];
  readonly #lefts: Lefts;

  constructor(settings: SendSettings, order: FileOrder, newWriter: () => RowsWriter, signal: AbortSignal) {
    const query = { ...exportFilters(order), format: 'ndjson' } as const;
    const onRestart = () => {
      this.restarts++;
      this.#writer = newWriter();
      this.#totals = new RowTotals();
      this.#newest = [];
    };
    this.exported = new Export(settings, '/v1', query, { signal, onRestart }, exportedTransactions);
    this.#settings = settings;
    this.#lefts = new Lefts(connect(settings.apiKey as string, {}));
    this.#order = order;
    this.#writer = newWriter();
    this.#signal = signal;
  }

  /** Throws: TooManyRows. If the totals already show it, nothing is loaded. */
  async read(): Promise<void> {
    await this.#checkRoom();
    for await (const transaction of this.exported) {
      const { expectedRows } = this.exported;
      if (Math.max(this.#totals.rows + 1, expectedRows ?? 0) > this.#writer.maxRows)
        throw new TooManyRows(expectedRows);
      this.#totals.add(transaction);
      this.#newest.push(transaction);
      if (this.#newest.length === AT_ONCE) await this.#write();
    }
    await this.#write();
  }

  async #write(): Promise<void> {
    const rows = this.#newest.splice(0);
    if (this.#order.extra?.left) await this.#lefts.load(rows, this.#signal);
    for (const row of rows) if (this.#writer.add(row, this.#lefts.of(row))) await nextTurn();
  }

  async end(): Promise<FinishedFile> {
    const { rows, data: totals, net } = this.#totals;
    const file = { manifest: this.exported.manifest as ExportManifest, rows, totals, net };
    return { ...file, content: await this.#writer.end(file) };
  }

  async #checkRoom(): Promise<void> {
    const { filter, zone } = this.#order;
    const query = queryOf(filter, zone);
    const reading = fetchTotals(createSend(this.#settings), '/v1', query, { signal: this.#signal });
    // If they are refused, the export says how many rows it has.
    const { data } = await reading.catch(() => ({ data: [] }));
    const rows = data.reduce((sum, { count }) => sum + count, 0);
    if (rows > this.#writer.maxRows) throw new TooManyRows(rows);
  }
}
