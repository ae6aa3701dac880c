import { accountOf } from '../../../http/access/caller.ts';
import { type Context, defineOperation } from '../../../http/operations/operation.ts';
import { notFound } from '../../../http/operations/path-parameter.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import type { ChangeReader } from '../change.ts';
import { formatChange } from '../format-change.ts';
import { TRANSACTION_CHANGES_EXAMPLES } from './change-examples.ts';
import { type ChangeBody, TransactionChanges } from './change-schemas.ts';

export const listTransactionChanges = defineOperation({
  method: 'GET',
  public: {
    id: 'listTransactionChanges',
    path: '/v1/transactions/:reference/changes',
    access: 'read',
    tag: 'transactions',
    summary: 'List the changes of one transaction',
    description:
      'Its place in the change feed, oldest first: one change, or two if it was recorded as pending and then took another status.',
  },
  pathParameters: { reference: REFERENCE },
  responses: {
    200: jsonResponse(
      'The changes of the transaction.',
      Type.Ref(TransactionChanges),
      TRANSACTION_CHANGES_EXAMPLES,
    ),
  },
  handler:
    ({ store }: Context<Pick<ChangeReader, 'listTransactionChanges'>>) =>
    async (request): Promise<{ data: ChangeBody[] }> => {
      const account = accountOf(request);
      const found = await store.listTransactionChanges(account, request.params.reference);
      if (found === undefined) throw notFound(REFERENCE);
      request.logFields = { count: found.length };
      return { data: found.map((change) => formatChange(account, change)) };
    },
});
