import { randomBytes } from 'node:crypto';
import { makeApiKey } from '../../../src/keys/api-key.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { someEntry } from '../../../test/rig/store/audit.ts';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import type { LoadRequest } from './load.ts';

/** Makes an operator's API key in a database, and brings its schema up to date. */
export async function makeOperatorKey(databaseUrl: string): Promise<string> {
  const { store } = await openStore(databaseUrl, Date.now);
  const { key, stored } = makeApiKey(
    { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null },
    Date.now(),
    randomBytes,
  );
  await store.createApiKey(stored, someEntry());
  await store.close();
  return key;
}

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

const oneOfHundred = (index: number) => `account-${index % 100}`;

/** Requests that each record a different transaction. */
export function putRequests(
  key: string,
  prefix: string,
  count: number,
  accountOf = oneOfHundred,
): LoadRequest[] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return Array.from({ length: count }, (_, index) => ({
    method: 'PUT',
    path: `/v1/accounts/${accountOf(index)}/transactions/put-${prefix}${index}`,
    headers,
    body: JSON.stringify(transactionBody(index)),
  }));
}
