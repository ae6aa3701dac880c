import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../../http/path-parameters.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { type Schema, Type } from '../../../http/schemas/type.ts';
import { COMPLETED_EXAMPLE, PENDING_EXAMPLE } from '../../http/transaction-examples.ts';
import { Transaction, transactionBody } from '../../http/transaction-schemas.ts';
import type { TransactionRetriever } from '../list-query.ts';
import { LIST_PATH } from './list-query.ts';

export interface RetrieveTransactionDependencies {
  store: TransactionRetriever;
  authenticate: Authenticate<'account'>;
}

export function retrieveTransactionRoute(
  app: FastifyInstance,
  { store, authenticate }: RetrieveTransactionDependencies,
): void {
  app.get<{ Params: { reference: string } }>(`${LIST_PATH}/:reference`, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'retrieveTransaction',
      tags: ['transactions'],
      summary: 'Retrieve one transaction by its reference',
      description:
        'The same object as in the list. The reference of another account gets the same response as one that does not exist.',
      params: pathSchema('reference'),
      response: {
        200: retrievedResponse(rateLimitHeaders),
        ...problemResponses([...KEY_PROBLEMS, 'not_found'], { keysAreLimited: true }),
      },
    },
    handler: async (request) => {
      const { account } = callerOf(request);
      const found = await store.retrieveTransaction(account, request.params.reference);
      if (found === undefined) throw notFound('reference');
      return transactionBody(found);
    },
  });
}

export const retrievedResponse = (headers: Record<string, Schema> = {}) =>
  jsonResponse(
    'The transaction.',
    Type.Ref(Transaction),
    {
      completed: { summary: 'A completed transaction', value: COMPLETED_EXAMPLE },
      pending: { summary: 'A pending transaction', value: PENDING_EXAMPLE },
    },
    headers,
  );
