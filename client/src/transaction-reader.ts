import { fetchPage, fetchTransaction } from './fetch-transactions.ts';
import { checkFilters, checkSavedPosition } from './saved-position.ts';
import { type SearchPage, type SearchQuery, searchPages } from './search.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';
import type { ListFilters, PageQuery, Transaction, TransactionPage } from './transaction.ts';
import { type SavedPosition, TransactionList } from './transaction-list.ts';

/** Reads the transactions of one account. */
export class TransactionReader {
  readonly #send: Send;
  /** The path of the account's resources. */
  readonly #root: string;

  constructor(send: Send, root: string) {
    this.#send = send;
    this.#root = root;
  }

  /**
   * All transactions that match the filters, newest first. It sends no request before it is read.
   *
   * @example
   * const march = client.transactions.list({ status: 'completed', from: '2026-03-01', to: '2026-03-31' });
   * for await (const { reference, amount, currencyCode } of march) console.log(reference, amount, currencyCode);
   */
  list(filters: ListFilters = {}, options: RequestOptions = {}): TransactionList {
    const checked = checkFilters(filters);
    const next = { to: checked.to ?? null, cursor: null };
    return this.resume({ version: 1, filters: checked, last: null, next }, options);
  }

  /**
   * Continues a list after the last transaction that it returned.
   *
   * @example
   * const { data } = await list.page();
   * const text = JSON.stringify(list); // stored with what was done with `data`
   * const rest = client.transactions.resume(JSON.parse(text));
   */
  resume(saved: SavedPosition, options: RequestOptions = {}): TransactionList {
    checkRequestOptions(options);
    return new TransactionList((query, each) => this.page(query, each), checkSavedPosition(saved), options);
  }

  /**
   * One page, exactly as the service returns it: for callers that store cursors themselves.
   *
   * @example
   * const first = await client.transactions.page({ currency: 'EUR' });
   * const second = first.nextCursor && (await client.transactions.page({ cursor: first.nextCursor }));
   * @throws CursorExpiredError if the cursor is too old; its `cursor` continues at the same place.
   */
  page(query: PageQuery = {}, options: RequestOptions = {}): Promise<TransactionPage> {
    return fetchPage(this.#send, this.#root, query, options);
  }

  /**
   * Each transaction that a search finds, newest first. A search of a large account takes many requests: `searchPages` says how
   * far back it is. Stop it by leaving the loop.
   *
   * @example
   * for await (const transaction of client.transactions.search({ text: '10482', amount: '49.90' }))
   *   console.log(transaction);
   */
  async *search(
    query: SearchQuery,
    options: RequestOptions = {},
  ): AsyncGenerator<Transaction, void, undefined> {
    for await (const { data } of this.searchPages(query, options)) yield* data;
  }

  /** What each request of a search finds, and how far back it has looked. A page can be empty although more follow. */
  searchPages(query: SearchQuery, options: RequestOptions = {}): AsyncGenerator<SearchPage, void, undefined> {
    return searchPages(this.#send, this.#root, query, options);
  }

  /**
   * One transaction by its reference.
   *
   * @example const { status, paidAt } = await client.transactions.retrieve('pay_000001');
   * @throws NotFoundError if the account has no such transaction.
   */
  retrieve(reference: string, options: RequestOptions = {}): Promise<Transaction> {
    return fetchTransaction(this.#send, this.#root, reference, options);
  }
}
