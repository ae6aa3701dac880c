import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { quote } from '../../core/quote.ts';
import type { TransactionFinder } from '../../core/store.ts';
import { isIdentifier } from '../../core/transaction.ts';
import { callerOf, type requireApiKey } from '../authenticate.ts';
import { LIST_PATH } from '../list-query.ts';
import { faultyParameters, Problem } from '../problem.ts';
import { problemResponse, rateLimitHeaders, retryAfterHeader, successHeaders } from '../schemas/problem.ts';
import { transactionBody } from '../transaction-body.ts';

export interface RetrieveTransactionDependencies {
  store: TransactionFinder;
  authenticate: ReturnType<typeof requireApiKey>;
}

export function retrieveTransactionRoute(
  app: FastifyInstance,
  { store, authenticate }: RetrieveTransactionDependencies,
): void {
  app.get<{ Params: { reference: string }; Querystring: Record<string, unknown> }>(
    `${LIST_PATH}/:reference`,
    {
      onRequest: authenticate,
      // A reference that can not be is one that no transaction has.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'retrieveTransaction',
        tags: ['transactions'],
        summary: 'Retrieve one transaction by its reference',
        description:
          'The same object as in the list. A reference of another account is answered as one that does not exist.',
        security: [{ apiKey: [] }],
        params: Type.Object({
          reference: Type.String({ description: 'Compared exactly, upper and lower case included.' }),
        }),
        response: {
          200: {
            description: 'The transaction.',
            headers: { ...successHeaders, ...rateLimitHeaders },
            content: { 'application/json': { schema: Type.Ref('Transaction') } },
          },
          400: problemResponse(400, rateLimitHeaders),
          401: problemResponse(401, {
            ...rateLimitHeaders,
            'WWW-Authenticate': Type.String({ description: 'Source: RFC 6750.' }),
          }),
          404: problemResponse(404, rateLimitHeaders),
          413: problemResponse(413),
          414: problemResponse(414),
          429: problemResponse(429, { ...rateLimitHeaders, ...retryAfterHeader }),
          431: problemResponse(431),
          500: problemResponse(500, rateLimitHeaders),
          503: problemResponse(503, { ...rateLimitHeaders, ...retryAfterHeader }),
        },
      },
      handler: async (request) => {
        const [first, ...more] = Object.keys(request.query).map((parameter) => ({
          parameter,
          code: 'unknown_parameter' as const,
          detail: `${quote(parameter)} is not a parameter: this operation takes none.`,
        }));
        if (first !== undefined) throw faultyParameters([first, ...more]);

        const { account } = callerOf(request);
        const { reference } = request.params;
        const found = isIdentifier(reference) ? await store.findTransaction(account, reference) : undefined;
        if (found === undefined) {
          throw new Problem('not_found', 'No transaction of this account has this reference.');
        }
        return transactionBody(found);
      },
    },
  );
}
