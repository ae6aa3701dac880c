import createClient from 'openapi-fetch';
import type { paths as OperatorPaths } from './generated/operator.ts';
import type { components, paths } from './generated/public.ts';

/*
 * This file is compiled and never run. If a document loses a field, a type or a status, it does not compile.
 */
type Transaction = components['schemas']['Transaction'];

const headers = { Authorization: 'Bearer KEY' };

export async function* walk(baseUrl: string, status: 'pending' | 'completed'): AsyncGenerator<Transaction> {
  const client = createClient<paths>({ baseUrl, headers });
  let cursor: string | null = null;
  do {
    const { data, error, response } = await client.GET('/v1/transactions', {
      params: { query: cursor === null ? { status, from: '2026-01-01', currency: 'EUR' } : { cursor } },
    });
    if (error !== undefined) throw new Error(`${response.status} ${error.code}: ${error.detail}`);
    yield* data.data;
    cursor = nextCursorOf(data);
  } while (cursor !== null);
}

function nextCursorOf({ hasMore, nextCursor }: components['schemas']['TransactionPage']): string | null {
  return hasMore ? nextCursor : null;
}

export async function retrieve(baseUrl: string, reference: string): Promise<[string, string | null, string]> {
  const client = createClient<paths>({ baseUrl, headers });
  const { data, error } = await client.GET('/v1/transactions/{reference}', {
    params: { path: { reference } },
  });
  if (error !== undefined) throw new Error(error.requestId);
  return [data.amount, data.paidAt, data.createdAt];
}

export async function record(baseUrl: string): Promise<string> {
  const client = createClient<OperatorPaths>({ baseUrl, headers });
  const { error } = await client.PUT('/v1/accounts/{account}/transactions/{reference}', {
    params: { path: { account: 'store-1', reference: 'tx_000012' } },
    body: {
      merchantReference: null,
      status: 'pending',
      amount: '12.50',
      currencyCode: 'EUR',
      createdAt: '2026-03-31T09:30:00.000Z',
    },
  });
  return (error?.differences ?? [])
    .map(({ field, recorded, given }) => `${field} ${recorded} ${given}`)
    .join();
}

export function refused(baseUrl: string): unknown[] {
  const client = createClient<paths>({ baseUrl, headers });
  return [
    // @ts-expect-error: the page size is fixed
    client.GET('/v1/transactions', { params: { query: { limit: 50 } } }),
    // @ts-expect-error: no such status
    client.GET('/v1/transactions', { params: { query: { status: 'paid' } } }),
    // @ts-expect-error: no reference
    client.GET('/v1/transactions/{reference}', {}),
  ];
}
