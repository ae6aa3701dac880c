import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { ArchiveReader } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { transactionNotFound } from '../../http/archived-before.ts';
import { lookUp } from '../../http/look-up.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { TransactionSchema, transactionBody } from '../../http/transaction-schemas.ts';
import type { TransactionRetriever } from '../list.ts';
import { LIST_PATH } from './list-query.ts';

const PATH = `${LIST_PATH}/:reference`;

export const retrieveTransactionOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'retrieveTransaction',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Retrieve a transaction',
    description:
      'The same object as in the list. A reference of another account gets the same response as a reference that does not exist.',
  },
  operator: lookUp(PATH, {
    id: 'retrieveAccountTransaction',
    summary: 'Retrieve a transaction',
    note: 'A reference that belongs to another account is not found.',
  }),
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  responses: {
    200: jsonResponse('The transaction.', Type.Ref(TransactionSchema), EXAMPLES.transaction),
  },
  handler:
    ({ store }: Context<TransactionRetriever & ArchiveReader>) =>
    async (request) => {
      const account = accountOf(request);
      const { reference } = request.params;
      const found = await store.retrieveTransaction(account, reference);
      if (found === undefined) throw await transactionNotFound(store, account, reference);
      return transactionBody(found);
    },
});
