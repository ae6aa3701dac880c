import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../http/access/authenticate.ts';
import type { QueryParameters } from '../../http/parse-query.ts';
import { refuseFaulty } from '../../http/problems/problem.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { lookUpProblems } from '../../ledger/record/http/responses.ts';
import { FaultList } from '../../values/fault-list.ts';
import type { AccountLister } from '../account.ts';
import { ACCOUNT_FAULT_CODES, type AccountFault, readAccountRequest } from '../account-query.ts';
import { ACCOUNT_EXAMPLES, ACCOUNT_PROBLEM_EXAMPLES } from './account-examples.ts';
import { ACCOUNTS } from './account-fault-examples.ts';
import { AccountPage, type AccountPageBody, listAccountsQuery } from './account-schemas.ts';

export interface ListAccountsDependencies {
  store: AccountLister;
  now: () => number;
  authenticate: Authenticate<'operator'>;
}

/** Lists the accounts of the service, of which a key with a prefix gets those that begin with it. */
export function listAccountsRoute(
  app: FastifyInstance,
  { store, now, authenticate }: ListAccountsDependencies,
): void {
  app.get<{ Querystring: QueryParameters }>(ACCOUNTS, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'listAccounts',
      tags: ['looking up'],
      summary: 'List the accounts',
      description:
        'An account exists when a transaction of it is recorded, or a key is created for it. To continue, send the last account as after. ' +
        'A key with an account prefix gets the accounts that begin with it.',
      querystring: listAccountsQuery,
      response: {
        200: jsonResponse('A page of accounts.', Type.Ref(AccountPage), ACCOUNT_EXAMPLES),
        ...lookUpProblems(ACCOUNT_FAULT_CODES, ACCOUNT_PROBLEM_EXAMPLES),
      },
    },
    handler: async (request): Promise<AccountPageBody> => {
      const faults = new FaultList<AccountFault>();
      const { after, limit } = readAccountRequest(request.query, faults);
      refuseFaulty(request.query, faults);
      const { accountPrefix } = callerOf(request);
      const accounts = await store.listAccounts({ after, prefix: accountPrefix, nowMs: now() }, limit + 1);
      return { data: accounts.slice(0, limit), hasMore: accounts.length > limit };
    },
  });
}
