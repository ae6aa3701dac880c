import type { Change } from './change.ts';
import { isChange } from './change-page.ts';
import { allItems, isPageOf, itemsOf, pathOfPage } from './collection.ts';
import { pathSegment } from './filters.ts';
import { requestBody } from './request-body.ts';
import { isPage } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import type { Transaction, TransactionPage } from './transaction.ts';

const CHANGES_PAGE = { what: 'a page of changes', is: /* @__PURE__ */ isPageOf(isChange) };

const TRANSACTIONS_PAGE = { what: 'a page of transactions', is: isPage };

/** The transactions that are related to one, page after page. */
export function fetchRelated(
  send: Send,
  root: string,
  reference: string,
  options: RequestOptions,
): AsyncGenerator<Transaction, void, undefined> {
  return itemsOf((cursor) => fetchRelatedPage(send, root, reference, cursor, options));
}

/** One page of them. */
export function fetchRelatedPage(
  send: Send,
  root: string,
  reference: string,
  cursor: string | null,
  options: RequestOptions,
): Promise<TransactionPage> {
  const path = `${root}/transactions/${pathSegment('reference', reference)}/related`;
  return requestBody(send, pathOfPage(path, cursor), TRANSACTIONS_PAGE, options);
}

/** The changes of one transaction, with all fields checked. `root` is the path of the account's resources. */
export async function fetchTransactionChanges(
  send: Send,
  root: string,
  reference: string,
  options: RequestOptions,
): Promise<Change[]> {
  const path = `${root}/transactions/${pathSegment('reference', reference)}/changes`;
  return allItems((cursor) => requestBody(send, pathOfPage(path, cursor), CHANGES_PAGE, options));
}
