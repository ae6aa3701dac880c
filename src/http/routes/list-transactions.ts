import type { FastifyInstance } from 'fastify';
import { formatTimestamp } from '../../core/calendar.ts';
import type { CursorSealer } from '../../core/list/cursor.ts';
import { LIST_FAULT_CODES } from '../../core/list/list-filter.ts';
import { listTransactions, PAGE_SIZE } from '../../core/list/list-transactions.ts';
import type { Statuses } from '../../core/status.ts';
import type { TransactionLister } from '../../core/store.ts';
import { type Authenticate, callerOf } from '../access/authenticate.ts';
import { LIST_PATH, listQueryReader, nextPath } from '../list-query.ts';
import type { QueryParameters } from '../parse-query.ts';
import { EXAMPLE_CURSOR, EXAMPLE_CURSOR_EXPIRES, LIST_EXAMPLES } from '../reference/examples/transactions.ts';
import { listTransactionsQuery, TransactionPage } from '../schemas/list-transactions.ts';
import { jsonResponse, KEY_PROBLEMS, problemResponses, rateLimitHeaders } from '../schemas/responses.ts';
import { transactionBody } from '../schemas/transaction.ts';
import { Type } from '../schemas/type.ts';

export interface ListTransactionsDependencies {
  store: TransactionLister;
  cursors: CursorSealer;
  cursorLifetimeSeconds: number;
  statuses: Statuses;
  now: () => number;
  authenticate: Authenticate<'account'>;
}

export function listTransactionsRoute(
  app: FastifyInstance,
  dependencies: ListTransactionsDependencies,
): void {
  const { store, cursors, cursorLifetimeSeconds, statuses, now, authenticate } = dependencies;
  const readListQuery = listQueryReader(statuses, cursors);

  app.get<{ Querystring: QueryParameters }>(LIST_PATH, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'listTransactions',
      tags: ['transactions'],
      summary: "List the account's transactions",
      description:
        `Newest first, ${PAGE_SIZE} on each page. Follow nextCursor until hasMore is false. A transaction that exists when you ` +
        'read the first page and does not change is returned exactly once, whatever is recorded meanwhile.',
      querystring: listTransactionsQuery(statuses),
      response: {
        200: jsonResponse('A page of transactions.', Type.Ref(TransactionPage), LIST_EXAMPLES, {
          ...rateLimitHeaders,
          'Cursor-Expires': Type.String({
            format: 'date-time',
            description: 'The time from which nextCursor is refused. Present with nextCursor.',
            examples: [EXAMPLE_CURSOR_EXPIRES],
          }),
          Link: Type.String({
            description: 'The URL of the next page, as rel="next". Present with nextCursor.',
            examples: [`<${LIST_PATH}?cursor=${EXAMPLE_CURSOR}>; rel="next"`],
          }),
        }),
        ...problemResponses([...KEY_PROBLEMS, ...LIST_FAULT_CODES], { keysAreLimited: true }),
      },
    },
    handler: async (request, reply) => {
      const { account } = callerOf(request);
      const nowMs = now();
      const query = readListQuery(request.query, account, nowMs);
      const { transactions, next } = await listTransactions(store, query);
      const data = transactions.map(transactionBody);
      if (next === null) return { data, nextCursor: null, hasMore: false };

      const expiresAtMs = nowMs + cursorLifetimeSeconds * 1000;
      const nextCursor = cursors.seal(account, { filter: query.filter, after: next, expiresAtMs });
      reply.header('cursor-expires', formatTimestamp(expiresAtMs));
      reply.header('link', `<${nextPath(nextCursor, query.filter)}>; rel="next"`);
      return { data, nextCursor, hasMore: true };
    },
  });
}
