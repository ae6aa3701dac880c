import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { makeKeys } from './data.ts';
import type { LoadRequest } from './load.ts';

/** Makes an operator's API key in a database, and brings its schema up to date. */
export const makeOperatorKey = async (databaseUrl: string): Promise<string> =>
  (await makeKeys(databaseUrl, [OPERATOR_ACCOUNT]))[OPERATOR_ACCOUNT] as string;

function transactionBody(index: number) {
  const createdAt = new Date(Date.UTC(2024, 0, 1) + index * 1000).toISOString();
  return {
    merchantReference: `order-${index}`,
    status: 'completed',
    amount: '12.50',
    currencyCode: 'EUR',
    paidAt: createdAt,
    createdAt,
  };
}

/** Requests that each record a different transaction, in one of a hundred accounts. */
export function putRequests(key: string, prefix: string, count: number): LoadRequest[] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return Array.from({ length: count }, (_, index) => ({
    method: 'PUT',
    path: `/v1/accounts/account-${index % 100}/transactions/put-${prefix}${index}`,
    headers,
    body: JSON.stringify(transactionBody(index)),
  }));
}
