import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import {
  PAGE_HEADERS,
  PAGE_QUERY,
  type Page,
  type PageContext,
  readPage,
} from '../../../http/operations/page.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { ArchiveReader } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { transactionNotFound } from '../../http/archived-before.ts';
import { lookUp } from '../../http/look-up.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { type ChangeReader, formatChange } from '../change.ts';
import { CHANGES_OF_PAGE, type ChangeBody, TransactionChangesSchema } from './change-schemas.ts';

const PATH = '/v1/transactions/:reference/changes';

export const listTransactionChangesOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listTransactionChanges',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'List changes of a transaction',
    description:
      'Oldest first: one change, or two if the transaction was recorded as pending and then took another status.',
  },
  operator: lookUp(PATH, {
    id: 'listAccountTransactionChanges',
    summary: 'List changes of a transaction',
  }),
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  query: PAGE_QUERY,
  responses: {
    200: jsonResponse(
      'The changes of the transaction, all on one page.',
      Type.Ref(TransactionChangesSchema),
      EXAMPLES.transactionChanges,
      PAGE_HEADERS,
    ),
  },
  handler:
    (context: Context<Pick<ChangeReader, 'listTransactionChanges'> & ArchiveReader> & PageContext) =>
    async (request, reply): Promise<Page<ChangeBody>> => {
      const account = accountOf(request);
      const { reference } = request.params;
      const page = await readPage(context, request.query, reply, {
        name: `changes of ${account} ${reference}`,
        read: async () => {
          const found = await context.store.listTransactionChanges(account, reference);
          if (found === undefined) throw await transactionNotFound(context.store, account, reference);
          return found;
        },
        pageItems: CHANGES_OF_PAGE,
        positionOf: ({ sequence }) => [sequence],
      });
      request.logFields = { count: page.data.length };
      return { ...page, data: page.data.map((change) => formatChange(account, change)) };
    },
});
