import type { FastifyInstance } from 'fastify';
import type { Authenticate } from '../../../http/access/authenticate.ts';
import { pathSchema } from '../../../http/path-parameters.ts';
import { Problem } from '../../../http/problems/problem.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { COMPLETED_EXAMPLE } from '../../http/transaction-examples.ts';
import { Transaction, transactionBody } from '../../http/transaction-schemas.ts';
import type { GroupCommit } from '../group-commit.ts';
import type { ParseRules } from '../parse-transaction.ts';
import { type JsonBody, readTransaction } from './read-transaction.ts';
import { TransactionRequest } from './record-schemas.ts';
import { BODY_PROBLEMS, operatorProblems } from './responses.ts';

export interface RecordTransactionDependencies {
  groupCommit: GroupCommit;
  rules: ParseRules;
  authenticate: Authenticate<'operator'>;
}

/** Records one transaction under the operator's reference. */
export function recordTransactionRoute(
  app: FastifyInstance,
  { groupCommit, rules, authenticate }: RecordTransactionDependencies,
): void {
  app.put<{ Params: { account: string; reference: string }; Body: JsonBody | null }>(
    '/v1/accounts/:account/transactions/:reference',
    {
      onRequest: authenticate('record'),
      schema: {
        operationId: 'recordTransaction',
        tags: ['recording'],
        summary: 'Record a transaction, or its payment',
        description:
          'Send the whole transaction. Sending the same transaction again changes nothing. A pending transaction can change ' +
          'its status once; any other difference is refused. The response is sent after the transaction is on disk.',
        params: pathSchema('account', 'reference'),
        body: Type.Ref(TransactionRequest),
        response: {
          200: jsonResponse('Changed, or already recorded.', Type.Ref(Transaction), {
            paid: { summary: 'A pending transaction that is now completed', value: COMPLETED_EXAMPLE },
          }),
          201: jsonResponse('Recorded.', Type.Ref(Transaction), {
            recorded: { summary: 'A new transaction', value: COMPLETED_EXAMPLE },
          }),
          ...operatorProblems(...BODY_PROBLEMS, 'transaction_conflict'),
        },
      },
      handler: async (request, reply) => {
        const transaction = readTransaction(request.body, request.params, rules);
        const recorded = await groupCommit.record(transaction);
        if (recorded.outcome === 'conflict') {
          const fields = recorded.differences.map(({ field }) => field).join(', ');
          throw new Problem(
            'transaction_conflict',
            `The transaction is already recorded with a different ${fields}.`,
            { differences: recorded.differences },
          );
        }
        return reply.code(recorded.outcome === 'recorded' ? 201 : 200).send(transactionBody(transaction));
      },
    },
  );
}
