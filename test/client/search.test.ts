import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CursorExpiredError, type SearchPage, type Transaction } from '../../client/src/index.ts';
import { answer, answersInTurn, clientOn } from '../rig/http/client.ts';

const transaction = (reference: string): Transaction => ({
  reference,
  merchantReference: null,
  status: 'completed',
  amount: '49.90',
  currencyCode: 'EUR',
  paidAt: '2026-03-01T10:00:00.000Z',
  createdAt: '2026-03-01T10:00:00.000Z',
});

const page = (references: readonly string[], nextCursor: string | null): SearchPage => ({
  data: references.map(transaction),
  searchedBackTo: '2026-02-01T00:00:00.000Z',
  nextCursor,
  hasMore: nextCursor !== null,
});

const expired = (resume: string | undefined) => ({
  code: 'cursor_expired',
  title: 'The cursor has expired',
  detail: 'The cursor expired.',
  ...(resume !== undefined && { resume }),
});

const answering = (...answers: (readonly [status: number, body: unknown])[]) =>
  clientOn(answersInTurn(...answers.map(([status, body]) => answer(status, body))), 'a-key', {
    maxRetries: 0,
  });

test('a search reads every response, including empty ones, and sends the terms with each cursor, which may be too short for them', async () => {
  const answers = [page(['a', 'b'], 'one'), page([], 'two'), page(['c'], null)];
  const { client, requests } = answering(...answers.map((answer) => [200, answer] as const));
  const query = { text: 'or 1', amountFrom: '1.00' };
  assert.deepEqual(await Array.fromAsync(client.transactions.searchPages(query)), answers);
  assert.deepEqual(requests, [
    '/v1/search?text=or+1&amountFrom=1.00',
    '/v1/search?text=or+1&amountFrom=1.00&cursor=one',
    '/v1/search?text=or+1&amountFrom=1.00&cursor=two',
  ]);
});

test('a cursor that has expired is replaced by the fresh one of the error', async () => {
  const { client, requests } = answering(
    [200, page(['a'], 'old')],
    [400, expired('/v1/search?cursor=fresh')],
    [200, page(['b'], null)],
  );
  const found = await Array.fromAsync(client.transactions.search({ paidFrom: '2026-03-01' }));
  assert.deepEqual(found, ['a', 'b'].map(transaction));
  assert.deepEqual(requests.slice(1), [
    '/v1/search?paidFrom=2026-03-01&cursor=old',
    '/v1/search?paidFrom=2026-03-01&cursor=fresh',
  ]);
  const without = answering([200, page(['a'], 'old')], [400, expired(undefined)]);
  await assert.rejects(
    Array.fromAsync(without.client.transactions.search({ text: 'abc' })),
    CursorExpiredError,
  );
});
