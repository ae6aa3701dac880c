import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import { refuseParameters } from '../../../http/no-parameters.ts';
import type { QueryParameters } from '../../../http/parse-query.ts';
import { notFound, pathSchema } from '../../../http/path-parameters.ts';
import { OTHER_EXAMPLES } from '../../../http/reference/examples/other-problems.ts';
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
  app.get<{ Params: { reference: string }; Querystring: QueryParameters }>(`${LIST_PATH}/:reference`, {
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
        ...problemResponses([...KEY_PROBLEMS, 'unknown_parameter', 'not_found'], {
          keysAreLimited: true,
          examples: {
            invalid_request: OTHER_EXAMPLES.noHost,
            unknown_parameter: OTHER_EXAMPLES.noParameters,
          },
        }),
      },
    },
    handler: async (request) => {
      refuseParameters(request.query);
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
