import { PAGE_SIZE } from '../../../../values/interface/limits.ts';
import { hintFor } from '../../../../values/parameter-hints.ts';
import { Problem } from '../../../../values/problem.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import {
  nextPath,
  PAGE_HEADERS,
  PAGE_QUERY,
  type PageContext,
  readPage,
  setPageHeaders,
} from '../../../http/operations/page.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { type ArchiveReader, archivedBefore } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { transactionNotFound } from '../../http/archived-before.ts';
import { lookUp } from '../../http/look-up.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { TransactionSchema, transactionBody } from '../../http/transaction-schemas.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import type { CursorSealer } from '../cursor.ts';
import { type RelatedLister, type TransactionLister, type TransactionRetriever, timeRange } from '../list.ts';
import {
  LIST_PATH,
  listPage,
  listParameters,
  listQueryReader,
  nextQuery,
  TransactionPageSchema,
} from './list-query.ts';

interface ListingContext extends Context<TransactionLister & ArchiveReader> {
  cursors: CursorSealer;
  cursorLifetimeSeconds: number;
  statuses: RecognisedStatuses;
}

const listTransactionsOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listTransactions',
    path: LIST_PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'List transactions',
    description:
      `Newest first, ${PAGE_SIZE} on each page. Follow nextCursor until hasMore is false. A transaction that exists when you ` +
      'read the first page and does not change is returned exactly once, whatever is recorded meanwhile.',
  },
  operator: lookUp(LIST_PATH, {
    id: 'listAccountTransactions',
    summary: 'List transactions',
    note: 'The list of an account without transactions is empty.',
  }),
  pathParameters: { account: ACCOUNT },
  query: listParameters,
  responses: {
    200: jsonResponse(
      'A page of transactions.',
      Type.Ref(TransactionPageSchema),
      EXAMPLES.list,
      PAGE_HEADERS,
    ),
  },
  handler: ({ store, cursors, cursorLifetimeSeconds, statuses, now }: ListingContext) => {
    const readListQuery = listQueryReader(statuses, cursors, cursorLifetimeSeconds);

    return async (request, reply) => {
      const account = accountOf(request);
      refuseFileType(request.headers.accept);
      await statuses.readFor(request.query['status']);
      const nowMs = now();
      const query = readListQuery(request.query, account, nowMs, nextPath(request, ''));
      const { filter } = query;
      const { transactions, next, archive } = await listPage(store, query);
      const archived =
        archive && archivedBefore(archive, { ...timeRange(filter), timeZone: filter.timeZone });
      const data = transactions.map(transactionBody);
      if (next === null) return { data, nextCursor: null, hasMore: false, ...archived };

      const expiresAtMs = nowMs + cursorLifetimeSeconds * 1000;
      const nextCursor = cursors.seal(account, { filter, after: next, expiresAtMs });
      setPageHeaders(reply, expiresAtMs, nextQuery(nextCursor, filter));
      return { data, nextCursor, hasMore: true, ...archived };
    };
  },
});

/** Refuses a caller that accepts only a file (CSV, say), because it could think a page is the whole list. */
function refuseFileType(accept = ''): void {
  if (!/csv|ndjson|jsonl|excel|spreadsheet/i.test(accept) || /\*\/\*|application\/(\*|json)/i.test(accept))
    return;
  throw new Problem('invalid_request', hintFor('Accept', ['cursor']) as string);
}

const PATH = `${LIST_PATH}/:reference`;

const retrieveTransactionOperation = defineOperation({
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

const listRelatedOperation = defineOperation({
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

export const LIST_OPERATIONS = [
  listTransactionsOperation,
  retrieveTransactionOperation,
  listRelatedOperation,
];
