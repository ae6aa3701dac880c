import { type CollectionPage, isPageOf } from './collection.ts';
import { CursorExpiredError } from './errors.ts';
import { checkTexts, withQuery } from './filters.ts';
import { refuseData } from './misuse.ts';
import { requestBody } from './request-body.ts';
import { hasArchivedBefore, isText, isTransaction } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { FILTER_NAMES, type ListFilters, type Transaction } from './transaction.ts';

/** The terms of a search: at least one, and the filters of a list. The range of days can have any length. */
export interface SearchQuery extends ListFilters {
  /** The exact amount, such as `49.90`. */
  amount?: string | undefined;
  /** The smallest and the largest amount, both inclusive. */
  amountFrom?: string | undefined;
  amountTo?: string | undefined;
  /**
   * A part of the reference, of the merchantReference or of a detail: 3 to 64 characters, in upper or lower
   * case, with or without accents.
   */
  text?: string | undefined;
  /** Days of paidAt, written YYYY-MM-DD, both inclusive. */
  paidFrom?: string | undefined;
  paidTo?: string | undefined;
}

/** The transactions that one search request found, newest first. Can be empty although hasMore is true. */
export interface SearchPage extends CollectionPage<Transaction> {
  /** All matching transactions that were created after this time have been found. UTC with milliseconds. */
  searchedBackTo: string;
  /** As in a TransactionPage. */
  archivedBefore?: string;
}

const PARAMETERS = [
  ...FILTER_NAMES,
  'amount',
  'amountFrom',
  'amountTo',
  'text',
  'paidFrom',
  'paidTo',
  'cursor',
];

/** One request of a search, whose fields are all checked. `root` is the path of the account's resources. */
export async function fetchSearchPage(
  send: Send,
  root: string,
  query: SearchQuery & { cursor?: string | undefined },
  options: RequestOptions,
): Promise<SearchPage> {
  const path = withQuery(`${root}/search`, checkTexts(query, PARAMETERS));
  return requestBody(send, path, { what: 'a page of a search', is: isSearchPage }, options);
}

/** All requests of a search. An expired cursor is replaced by a fresh one. */
export const searchPages = (send: Send, root: string, query: SearchQuery, options: RequestOptions) =>
  refuseData(readPages(send, root, query, options));

async function* readPages(
  send: Send,
  root: string,
  query: SearchQuery,
  options: RequestOptions,
): AsyncGenerator<SearchPage, void, undefined> {
  let next: SearchQuery & { cursor?: string } = query;
  for (;;) {
    const page = await fetchSearchPage(send, root, next, options).catch((error) => {
      if (!(error instanceof CursorExpiredError) || error.cursor === null) throw error;
      return fetchSearchPage(send, root, { ...query, cursor: error.cursor }, options);
    });
    yield page;
    if (page.nextCursor === null) return;
    // Long parameters do not fit into the cursor.
    next = { ...query, cursor: page.nextCursor };
  }
}

export const search = (...parameters: Parameters<typeof searchPages>) => refuseData(readFound(parameters));

async function* readFound(
  parameters: Parameters<typeof searchPages>,
): AsyncGenerator<Transaction, void, undefined> {
  for await (const { data } of searchPages(...parameters)) yield* data;
}

const isTransactionPage = /* @__PURE__ */ isPageOf(isTransaction);

const isSearchPage = (value: unknown): value is SearchPage =>
  isTransactionPage(value) &&
  isText((value as Partial<SearchPage>).searchedBackTo) &&
  hasArchivedBefore(value as Partial<SearchPage>);
