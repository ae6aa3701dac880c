import type { FastifyInstance } from 'fastify';
import type { Authenticate } from '../../../http/access/authenticate.ts';
import type { QueryParameters } from '../../../http/parse-query.ts';
import { notFound, pathSchema } from '../../../http/path-parameters.ts';
import { transactionBody } from '../../http/transaction-schemas.ts';
import { lookUpProblems } from '../../record/http/responses.ts';
import { LIST_FAULT_CODES } from '../list-filter.ts';
import type { TransactionRetriever } from '../list-query.ts';
import { listTransactionsQuery } from './list-schemas.ts';
import { type ListingDependencies, listedResponse, listResponder } from './list-transactions.ts';
import { retrievedResponse } from './retrieve-transaction.ts';

export interface LookUpDependencies extends ListingDependencies {
  store: ListingDependencies['store'] & TransactionRetriever;
  authenticate: Authenticate<'operator'>;
}

const TRANSACTIONS = '/v1/accounts/:account/transactions';

/** The reads of the public service, for the account of the path. */
export function lookUpTransactionsRoutes(app: FastifyInstance, dependencies: LookUpDependencies): void {
  const { store, statuses, authenticate } = dependencies;
  const respond = listResponder(dependencies);

  app.get<{ Params: { account: string }; Querystring: QueryParameters }>(TRANSACTIONS, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'listAccountTransactions',
      tags: ['looking up'],
      summary: 'List the transactions of an account',
      description:
        'As the account lists them, with the same parameters. The list of an account without transactions is empty.',
      params: pathSchema('account'),
      querystring: listTransactionsQuery(statuses),
      response: {
        200: listedResponse('/v1/accounts/store-1/transactions'),
        ...lookUpProblems([...LIST_FAULT_CODES, 'not_found']),
      },
    },
    handler: (request, reply) => {
      const { account } = request.params;
      return respond(request.query, reply, account, `/v1/accounts/${account}/transactions`);
    },
  });

  app.get<{ Params: { account: string; reference: string } }>(`${TRANSACTIONS}/:reference`, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'retrieveAccountTransaction',
      tags: ['looking up'],
      summary: 'Retrieve one transaction of an account by its reference',
      description: 'As the account retrieves it. A reference that belongs to another account is not found.',
      params: pathSchema('account', 'reference'),
      response: {
        200: retrievedResponse(),
        ...lookUpProblems(['not_found']),
      },
    },
    handler: async (request) => {
      const { account, reference } = request.params;
      const found = await store.retrieveTransaction(account, reference);
      if (found === undefined) throw notFound('reference');
      return transactionBody(found);
    },
  });
}
