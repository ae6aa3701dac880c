import { fetchPage, fetchTransaction } from './fetch-transactions.ts';
import { checkFilters, checkSavedWalk } from './saved-walk.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';
import type { ListFilters, PageQuery, Transaction, TransactionPage } from './transaction.ts';
import { type SavedWalk, TransactionWalk } from './walk.ts';

/** The transactions of the account. */
export class Transactions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
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
   * One transaction by its reference.
   *
   * Throws: NotFoundError if the account has no such transaction.
   */
  retrieve(reference: string, options: RequestOptions = {}): Promise<Transaction> {
    return fetchTransaction(this.#send, reference, options);
  }
}
