import type { Change } from './change.ts';
import { Export } from './export.ts';
import { exportedTransactions, FILE_ITEMS } from './export-items.ts';
import { type ExportManifest, type ExportQuery, fetchManifest } from './export-manifest.ts';
import { fetchPage, fetchTransaction } from './fetch-transactions.ts';
import { checkFilters, checkSavedWalk } from './saved-walk.ts';
import { type SearchPage, type SearchQuery, searchPages } from './search.ts';
import {
  checkRequestOptions,
  createSend,
  type RequestOptions,
  type Send,
  type SendSettings,
} from './send.ts';
import type { ListFilters, PageQuery, Transaction, TransactionPage } from './transaction.ts';
import { fetchTransactionChanges } from './transaction-changes.ts';
import { type SavedWalk, TransactionWalk } from './walk.ts';

/** The transactions of the account. */
export class Transactions {
  readonly #send: Send;
  readonly #settings: SendSettings;

  constructor(settings: SendSettings) {
    this.#send = createSend(settings);
    this.#settings = settings;
  }

  /** A walk over all transactions that match the filters, newest first. It sends no request before it is read. */
  list(filters: ListFilters = {}, options: RequestOptions = {}): TransactionWalk {
    const checked = checkFilters(filters);
    const next = { to: checked.to ?? null, cursor: null };
    return this.resume({ version: 1, filters: checked, last: null, next }, options);
  }

  /** Continues a saved walk after the last transaction that it returned. */
  resume(saved: SavedWalk, options: RequestOptions = {}): TransactionWalk {
    checkRequestOptions(options);
    return new TransactionWalk((query, each) => this.page(query, each), checkSavedWalk(saved), options);
  }

  /** One page, exactly as the service returns it: for callers that store cursors themselves. */
  page(query: PageQuery = {}, options: RequestOptions = {}): Promise<TransactionPage> {
    return fetchPage(this.#send, query, options);
  }

  /**
   * Each transaction that a search finds, newest first. A search of a large account takes many requests: `searchPages` says how
   * far back it is. Stop it by leaving the loop.
   */
  async *search(
    query: SearchQuery,
    options: RequestOptions = {},
  ): AsyncGenerator<Transaction, void, undefined> {
    for await (const { data } of this.searchPages(query, options)) yield* data;
  }

  /** What each request of a search finds, and how far back it has looked. A page can be empty although more follow. */
  searchPages(query: SearchQuery, options: RequestOptions = {}): AsyncGenerator<SearchPage, void, undefined> {
    return searchPages(this.#send, query, options);
  }

  /**
   * One transaction by its reference.
   *
   * Throws: NotFoundError if the account has no such transaction.
   */
  retrieve(reference: string, options: RequestOptions = {}): Promise<Transaction> {
    return fetchTransaction(this.#send, reference, options);
  }

  /**
   * The changes of one transaction, oldest first: its one or two places in the change feed.
   *
   * Throws: NotFoundError if the account has no such transaction.
   */
  changes(reference: string, options: RequestOptions = {}): Promise<Change[]> {
    return fetchTransactionChanges(this.#send, reference, options);
  }

  /**
   * All transactions that match, in one answer, as they are when it begins: newest first. The filters are those of a list, and the
   * range can have any length. It sends no request before it is read.
   */
  export(filters: ListFilters = {}, options: RequestOptions = {}): Export<Transaction> {
    return new Export(this.#settings, { ...filters, format: 'ndjson' }, options, exportedTransactions());
  }

  /** The same as the bytes of a file, in pieces of whole rows. */
  exportFile(query: ExportQuery, options: RequestOptions = {}): Export<Uint8Array> {
    return new Export(this.#settings, query, options, FILE_ITEMS);
  }

  /**
   * What an export contains, by its id.
   *
   * Throws: NotFoundError if the account has no such export; the service keeps them for 24 hours.
   */
  exportManifest(id: string, options: RequestOptions = {}): Promise<ExportManifest> {
    return fetchManifest(this.#send, id, options);
  }
}
