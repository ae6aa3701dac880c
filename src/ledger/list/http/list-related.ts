import { PAGE_SIZE } from '../../../../values/interface/limits.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { PAGE_HEADERS, PAGE_QUERY, type PageContext, readPage } from '../../../http/operations/page.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { type ArchiveReader, archivedBefore } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { transactionBody } from '../../http/transaction-schemas.ts';
import type { RelatedLister } from '../list.ts';
import { TransactionPageSchema } from './list-query.ts';

export const listRelatedOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listRelatedTransactions',
    path: '/v1/transactions/:reference/related',
    access: 'read',
    tag: 'transactions',
    summary: 'List related transactions',
    description:
      'Transactions whose relatedTo is the reference, such as the refunds of a payment, newest first. The transaction itself need not be recorded.',
  },
  operator: {
    id: 'listRelatedAccountTransactions',
    path: '/v1/accounts/:account/transactions/:reference/related',
    access: 'read',
    tag: 'looking up',
    summary: 'List related transactions',
    description: 'As the account lists them.',
  },
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  query: PAGE_QUERY,
  responses: {
    200: jsonResponse(
      'A page of the transactions.',
      Type.Ref(TransactionPageSchema),
      EXAMPLES.related,
      PAGE_HEADERS,
    ),
  },
  handler: (context: Context<RelatedLister & ArchiveReader> & PageContext) => async (request, reply) => {
    const account = accountOf(request);
    const { reference } = request.params;
    const page = await readPage(context, request.query, reply, {
      name: `related of ${account} ${reference}`,
      read: (after: readonly [createdAtMs: number, reference: string] | null, limit) =>
        context.store.listRelated(
          account,
          reference,
          after && { createdAtMs: after[0], reference: after[1] },
          limit,
        ),
      pageItems: PAGE_SIZE,
      positionOf: (one) => [one.createdAtMs, one.reference] as const,
    });
    request.logFields = { count: page.data.length };
    const archive = await context.store.readArchive(account);
    const archived = archivedBefore(archive, { fromMs: null, timeZone: null });
    return { ...page, data: page.data.map(transactionBody), ...archived };
  },
});
