import { checkTexts, pathSegment, withQuery } from './filters.ts';
import { requestBody } from './request-body.ts';
import { isPage, isTransaction } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { FILTER_NAMES, type PageQuery, type Transaction, type TransactionPage } from './transaction.ts';

const PARAMETERS = [...FILTER_NAMES, 'cursor'];

/** One page of a list, whose fields are all checked. `root` is the path of the account's resources. */
export async function fetchPage(
  send: Send,
  root: string,
  query: PageQuery,
  options: RequestOptions,
): Promise<TransactionPage> {
  const path = withQuery(`${root}/transactions`, checkTexts(query, PARAMETERS));
  return requestBody(send, path, { what: 'a page of transactions', is: isPage }, options);
}

/** One transaction, whose fields are all checked. */
export async function fetchTransaction(
  send: Send,
  root: string,
  reference: string,
  options: RequestOptions,
): Promise<Transaction> {
  const path = `${root}/transactions/${pathSegment('reference', reference)}`;
  return requestBody(send, path, { what: 'a transaction', is: isTransaction }, options);
}
