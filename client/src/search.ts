import { type CollectionPage, isPageOf, itemsOf, pagesOf } from './collection.ts';
import { checkTexts, withQuery } from './filters.ts';
import { requestBody } from './request-body.ts';
import { hasArchivedBefore, isText, isTransaction } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { FILTER_NAMES, type ListFilters, type Transaction } from './transaction.ts';

/** The filters of a list, and at least one of the following terms. The range of days can have any length. */
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

/** The transactions are sorted newest first. A page can be empty although `hasMore` is true. */
export interface SearchPage extends CollectionPage<Transaction> {
  /** All matching transactions that were created after this time have been found. UTC with milliseconds. */
  searchedBackTo: string;
  /** See `archivedBefore` of TransactionPage. */
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

export async function fetchSearchPage(
  send: Send,
  root: string,
  query: SearchQuery & { cursor?: string | undefined },
  options: RequestOptions,
): Promise<SearchPage> {
  const path = withQuery(`${root}/search`, checkTexts(query, PARAMETERS));
  return requestBody(send, path, { what: 'a page of a search', is: isSearchPage }, options);
}

/** Each request repeats all parameters, because a cursor has no room for long ones. */
const pageReader =
  (send: Send, root: string, query: SearchQuery, options: RequestOptions) => (cursor: string | null) =>
    fetchSearchPage(send, root, cursor === null ? query : { ...query, cursor }, options);

export const searchPages = (...parameters: Parameters<typeof pageReader>) =>
  pagesOf(pageReader(...parameters));

export const search = (...parameters: Parameters<typeof pageReader>) => itemsOf(pageReader(...parameters));

const isTransactionPage = /* @__PURE__ */ isPageOf(isTransaction);

const isSearchPage = (value: unknown): value is SearchPage =>
  isTransactionPage(value) &&
  isText((value as Partial<SearchPage>).searchedBackTo) &&
  hasArchivedBefore(value as Partial<SearchPage>);
