import { ArgumentError } from './errors.ts';
import { checkTexts, FILTERS, LONE_SURROGATE, withQuery } from './filters.ts';
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
  // A URL drops an empty segment and one of dots, so the request would go to another path.
  if (typeof reference !== 'string' || /^\.{0,2}$/.test(reference) || LONE_SURROGATE.test(reference)) {
    throw new ArgumentError('The reference is empty, or cannot be part of a URL.');
  }
  const { body, requestId } = await send(`${LIST_PATH}/${encodeURIComponent(reference)}`, options);
  return readTransaction(body, requestId);
}
