import type { Change } from './change.ts';
import { isChange } from './change-page.ts';
import { allItems, isPageOf, pathOfPage } from './collection.ts';
import { checkTexts, pathSegment, withQuery } from './filters.ts';
import { requestBody } from './request-body.ts';
import { isPage, isTransaction } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { FILTER_NAMES, type PageQuery, type Transaction, type TransactionPage } from './transaction.ts';

/* In this file, `root` is the path of the account's resources. */

const PARAMETERS = [...FILTER_NAMES, 'cursor'];

const PAGE = { what: 'a page of transactions', is: isPage };
const CHANGES_PAGE = { what: 'a page of changes', is: /* @__PURE__ */ isPageOf(isChange) };

const pathOf = (root: string, reference: string) =>
  `${root}/transactions/${pathSegment('reference', reference)}`;

export async function fetchPage(
  send: Send,
  root: string,
  query: PageQuery,
  options: RequestOptions,
): Promise<TransactionPage> {
  const path = withQuery(`${root}/transactions`, checkTexts(query, PARAMETERS));
  return requestBody(send, path, PAGE, options);
}

export async function fetchTransaction(
  send: Send,
  root: string,
  reference: string,
  options: RequestOptions,
): Promise<Transaction> {
  return requestBody(send, pathOf(root, reference), { what: 'a transaction', is: isTransaction }, options);
}

export function fetchRelatedPage(
  send: Send,
  root: string,
  reference: string,
  cursor: string | null,
  options: RequestOptions,
): Promise<TransactionPage> {
  return requestBody(send, pathOfPage(`${pathOf(root, reference)}/related`, cursor), PAGE, options);
}

export async function fetchTransactionChanges(
  send: Send,
  root: string,
  reference: string,
  options: RequestOptions,
): Promise<Change[]> {
  const path = `${pathOf(root, reference)}/changes`;
  return allItems((cursor) => requestBody(send, pathOfPage(path, cursor), CHANGES_PAGE, options));
}
