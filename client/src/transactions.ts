import { ArgumentError } from './errors.ts';
import { LONE_SURROGATE, withQuery } from './filters.ts';
import { readPage, readTransaction } from './response.ts';
import { checkFilters, checkPageQuery, checkSavedWalk } from './saved-walk.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';
import type { ListFilters, PageQuery, Transaction, TransactionPage } from './transaction.ts';
import { type SavedWalk, TransactionWalk } from './walk.ts';

const LIST_PATH = '/v1/transactions';

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
  async page(query: PageQuery = {}, options: RequestOptions = {}): Promise<TransactionPage> {
    checkRequestOptions(options);
    const { body, requestId } = await this.#send(withQuery(LIST_PATH, checkPageQuery(query)), options);
    return readPage(body, requestId);
  }

  /**
   * One transaction by its reference.
   *
   * Throws: NotFoundError if the account has no such transaction.
   */
  async retrieve(reference: string, options: RequestOptions = {}): Promise<Transaction> {
    checkRequestOptions(options);
    // A URL drops an empty segment and one of dots, so the request would go to another path.
    if (typeof reference !== 'string' || /^\.{0,2}$/.test(reference) || LONE_SURROGATE.test(reference)) {
      throw new ArgumentError('The reference is empty, or cannot be part of a URL.');
    }
    const { body, requestId } = await this.#send(`${LIST_PATH}/${encodeURIComponent(reference)}`, options);
    return readTransaction(body, requestId);
  }
}
