import { checkTexts, FILTERS, pathSegment, withQuery } from './filters.ts';
import { readPage, readTransaction } from './response.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';
import type { PageQuery, Transaction, TransactionPage } from './transaction.ts';

const LIST_PATH = '/v1/transactions';
const PARAMETERS = [...FILTERS, 'cursor'];

/** One page of a list, whose fields are all checked. */
export async function fetchPage(
  send: Send,
  query: PageQuery,
  options: RequestOptions,
): Promise<TransactionPage> {
  checkRequestOptions(options);
  const { body, requestId } = await send(withQuery(LIST_PATH, checkTexts(query, PARAMETERS)), options);
  return readPage(body, requestId);
}

/** One transaction, whose fields are all checked. */
export async function fetchTransaction(
  send: Send,
  reference: string,
  options: RequestOptions,
): Promise<Transaction> {
  checkRequestOptions(options);
  const { body, requestId } = await send(`${LIST_PATH}/${pathSegment('reference', reference)}`, options);
  return readTransaction(body, requestId);
}
