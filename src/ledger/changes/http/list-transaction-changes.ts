import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../../http/path-parameters.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { LIST_PATH } from '../../list/http/list-query.ts';
import type { ChangeReader } from '../change.ts';
import { formatChange } from '../format-change.ts';
import { TRANSACTION_CHANGES_EXAMPLES } from './change-examples.ts';
import { type ChangeBody, TransactionChanges } from './change-schemas.ts';

export interface ListTransactionChangesDependencies {
  reader: Pick<ChangeReader, 'listTransactionChanges'>;
  authenticate: Authenticate<'account'>;
}

export function listTransactionChangesRoute(
  app: FastifyInstance,
  { reader, authenticate }: ListTransactionChangesDependencies,
): void {
  app.get<{ Params: { reference: string } }>(`${LIST_PATH}/:reference/changes`, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'listTransactionChanges',
      tags: ['transactions'],
      summary: 'List the changes of one transaction',
      description:
        'Its place in the change feed, oldest first: one change, or two if it was recorded as pending and then took another status.',
      params: pathSchema('reference'),
      response: {
        200: jsonResponse(
          'The changes of the transaction.',
          Type.Ref(TransactionChanges),
          TRANSACTION_CHANGES_EXAMPLES,
          rateLimitHeaders,
        ),
        ...problemResponses([...KEY_PROBLEMS, 'not_found'], { keysAreLimited: true }),
      },
    },
    handler: async (request): Promise<{ data: ChangeBody[] }> => {
      const { account } = callerOf(request);
      const found = await reader.listTransactionChanges(account, request.params.reference);
      if (found === undefined) throw notFound('reference');
      request.logFields = { count: found.length };
      return { data: found.map(formatChange) };
    },
  });
}
