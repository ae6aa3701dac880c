import type { Change } from './change.ts';
import { itemsOf } from './collection.ts';
import { ArgumentError } from './errors.ts';
import { Export, type ExportOptions } from './export.ts';
import { exportedTransactions, fileItems } from './export-items.ts';
import {
  type ExportedTransaction,
  type ExportFilters,
  type ExportManifest,
  type ExportQuery,
  fetchManifest,
} from './export-manifest.ts';
import {
  fetchPage,
  fetchRelatedPage,
  fetchTransaction,
  fetchTransactionChanges,
} from './fetch-transactions.ts';
import { checkTexts } from './filters.ts';
import { isTextOrNull } from './response.ts';
import { type SearchPage, type SearchQuery, search, searchPages } from './search.ts';
import { checkRequestOptions, type RequestOptions, type Send, type SendSettings } from './send.ts';
import {
  FILTER_NAMES,
  type ListFilters,
  type PageQuery,
  type Transaction,
  type TransactionPage,
} from './transaction.ts';
import { type SavedPosition, TransactionList } from './transaction-list.ts';

export class TransactionReader {
  readonly #send: Send;
  readonly #settings: SendSettings;
  readonly #root: string;

  constructor(send: Send, settings: SendSettings, root: string) {
    this.#send = send;
    this.#settings = settings;
    this.#root = root;
  }

  /**
   * All transactions that match the filters, newest first. The list sends no request before it is read.
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
   * const text = JSON.stringify(list); // stored together with the results from `data`
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
   * @throws CursorExpiredError if the cursor is too old. The error's `cursor` continues at the same place.
   */
  page(query: PageQuery = {}, options: RequestOptions = {}): Promise<TransactionPage> {
    return fetchPage(this.#send, this.#root, query, options);
  }

  /**
   * The transactions that a search finds, newest first. In a large account, a search takes many requests. To
   * stop it, leave the loop. To see how far back it has searched, use `searchPages`.
   *
   * @example
   * for await (const transaction of client.transactions.search({ text: '10482', amount: '49.90' }))
   *   console.log(transaction);
   */
  search(query: SearchQuery, options: RequestOptions = {}): AsyncGenerator<Transaction, void, undefined> {
    return search(this.#send, this.#root, query, options);
  }

  /** The pages of a search, one for each request. A page can be empty. See `searchedBackTo` of SearchPage. */
  searchPages(query: SearchQuery, options: RequestOptions = {}): AsyncGenerator<SearchPage, void, undefined> {
    return searchPages(this.#send, this.#root, query, options);
  }

  /**
   * @example const { status, paidAt } = await client.transactions.retrieve('pay_000001');
   * @throws NotFoundError if the account has no such transaction.
   */
  retrieve(reference: string, options: RequestOptions = {}): Promise<Transaction> {
    return fetchTransaction(this.#send, this.#root, reference, options);
  }

  /**
   * The changes of one transaction in the change feed, oldest first.
   *
   * @throws NotFoundError if the account has no such transaction.
   */
  changes(reference: string, options: RequestOptions = {}): Promise<Change[]> {
    return fetchTransactionChanges(this.#send, this.#root, reference, options);
  }

  /**
   * The transactions whose `relatedTo` is `reference`, newest first (for example the refunds of a payment).
   * The transaction with this reference need not be recorded.
   *
   * @example
   * const payment = await client.transactions.retrieve('pay_1001');
   * let left = toMinorUnits(payment.amount);
   * for await (const { amount } of client.transactions.related(payment.reference))
   *   if (amount.startsWith('-')) left += toMinorUnits(amount);
   */
  related(reference: string, options: RequestOptions = {}): AsyncGenerator<Transaction, void, undefined> {
    return itemsOf((cursor) => fetchRelatedPage(this.#send, this.#root, reference, cursor, options));
  }

  /**
   * All transactions that match when the export begins, newest first. The range can have any length. The
   * export sends no request before it is read.
   *
   * @example
   * const paid = client.transactions.export({ paidFrom: '2026-03-01', paidTo: '2026-03-31' });
   * for await (const { reference, amount } of paid) console.log(reference, amount);
   * console.log(`${paid.rows} transactions up to change ${paid.asOf}`);
   */
  export(
    filters: ExportFilters & Pick<ExportQuery, 'recordedAt'> = {},
    options: ExportOptions = {},
  ): Export<ExportedTransaction> {
    const query: ExportQuery = { ...filters, format: 'ndjson' };
    return new Export(this.#settings, this.#root, query, options, exportedTransactions);
  }

  /**
   * Exports the bytes of a file, in pieces of whole rows.
   *
   * @example
   * const file = client.transactions.exportFile({ format: 'csv', from: '2026-03-01', to: '2026-03-31' });
   * for await (const piece of file) write(piece);
   */
  exportFile(query: ExportQuery, options: ExportOptions = {}): Export<Uint8Array> {
    return new Export(this.#settings, this.#root, query, options, fileItems);
  }

  /** @throws NotFoundError if the account has no such export; the service keeps exports for 24 hours. */
  exportManifest(id: string, options: RequestOptions = {}): Promise<ExportManifest> {
    return fetchManifest(this.#send, this.#root, id, options);
  }
}

const isTimestamp = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/.test(value);

function checkFilters(filters: ListFilters): ListFilters {
  if (filters !== null && typeof filters === 'object' && 'cursor' in filters)
    throw new ArgumentError('list takes no cursor. To continue a saved position, use resume.');
  return checkTexts(filters, FILTER_NAMES);
}

function checkSavedPosition(saved: SavedPosition): SavedPosition {
  const { version, filters, last, next } = saved ?? {};
  if (version !== 1)
    throw new ArgumentError('The saved position has a version that this client does not know.');
  const isLast = last === null || (isTimestamp(last?.createdAt) && typeof last.reference === 'string');
  const isNext = next === null || (next !== undefined && isTextOrNull(next.to) && isTextOrNull(next.cursor));
  if (!isLast || !isNext) throw new ArgumentError('The saved position is damaged.');
  return { version, filters: checkFilters(filters), last, next };
}
