import type { Change } from './change.ts';
import { Export } from './export.ts';
import { exportedTransactions, FILE_ITEMS } from './export-items.ts';
import {
  type ExportFilters,
  type ExportManifest,
  type ExportQuery,
  fetchManifest,
} from './export-manifest.ts';
import type { RequestOptions, Send, SendSettings } from './send.ts';
import type { Transaction } from './transaction.ts';
import { fetchTransactionChanges } from './transaction-changes.ts';
import { TransactionReader } from './transaction-reader.ts';

/** The transactions of the account. */
export class Transactions extends TransactionReader {
  readonly #send: Send;
  readonly #settings: SendSettings;

  constructor(send: Send, settings: SendSettings) {
    super(send, '/v1');
    this.#send = send;
    this.#settings = settings;
  }

  /**
   * The changes of one transaction, oldest first: its one or two places in the change feed.
   *
   * @throws NotFoundError if the account has no such transaction.
   */
  changes(reference: string, options: RequestOptions = {}): Promise<Change[]> {
    return fetchTransactionChanges(this.#send, reference, options);
  }

  /**
   * All transactions that match, in one answer, as they are when it begins: newest first. The filters are those of a list and
   * `paidFrom` and `paidTo`, days of the payment; the range can have any length. It sends no request before it is read.
   *
   * @example
   * const paid = client.transactions.export({ paidFrom: '2026-03-01', paidTo: '2026-03-31' });
   * for await (const { reference, amount } of paid) console.log(reference, amount);
   * console.log(`${paid.rows} transactions up to change ${paid.asOf}`);
   */
  export(filters: ExportFilters = {}, options: RequestOptions = {}): Export<Transaction> {
    return new Export(this.#settings, { ...filters, format: 'ndjson' }, options, exportedTransactions());
  }

  /**
   * Exports the bytes of a file, in pieces of whole rows.
   *
   * @example
   * const file = client.transactions.exportFile({ format: 'csv', from: '2026-03-01', to: '2026-03-31' });
   * for await (const piece of file) write(piece);
   */
  exportFile(query: ExportQuery, options: RequestOptions = {}): Export<Uint8Array> {
    return new Export(this.#settings, query, options, FILE_ITEMS);
  }

  /**
   * What an export contains, by its id.
   *
   * @throws NotFoundError if the account has no such export; the service keeps them for 24 hours.
   */
  exportManifest(id: string, options: RequestOptions = {}): Promise<ExportManifest> {
    return fetchManifest(this.#send, id, options);
  }
}
