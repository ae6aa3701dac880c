import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import type { QueryParameters } from '../../../http/parse-query.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { type Schema, Type } from '../../../http/schemas/type.ts';
import { formatTimestamp } from '../../../values/calendar.ts';
import { EXAMPLE_CURSOR, EXAMPLE_CURSOR_EXPIRES, LIST_EXAMPLES } from '../../http/transaction-examples.ts';
import { transactionBody } from '../../http/transaction-schemas.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import type { CursorSealer } from '../cursor.ts';
import { LIST_FAULT_CODES } from '../list-filter.ts';
import type { TransactionLister } from '../list-query.ts';
import { listTransactions, PAGE_SIZE } from '../list-transactions.ts';
import { LIST_PATH, listQueryReader, nextPath } from './list-query.ts';
import { listTransactionsQuery, TransactionPage } from './list-schemas.ts';

export interface ListingDependencies {
  store: TransactionLister;
  cursors: CursorSealer;
  cursorLifetimeSeconds: number;
  statuses: RecognisedStatuses;
  now: () => number;
}

export interface ListTransactionsDependencies extends ListingDependencies {
  authenticate: Authenticate<'account'>;
}

export function listTransactionsRoute(
  app: FastifyInstance,
  dependencies: ListTransactionsDependencies,
): void {
  const { statuses, authenticate } = dependencies;
  const respond = listResponder(dependencies);

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
        200: listedResponse(LIST_PATH, rateLimitHeaders),
        ...problemResponses([...KEY_PROBLEMS, ...LIST_FAULT_CODES], { keysAreLimited: true }),
      },
    },
    handler: (request, reply) => respond(request.query, reply, callerOf(request).account, LIST_PATH),
  });
}

/** Describes a page of the list at a path. */
export const listedResponse = (path: string, headers: Record<string, Schema> = {}) =>
  jsonResponse('A page of transactions.', Type.Ref(TransactionPage), LIST_EXAMPLES, {
    ...headers,
    'Cursor-Expires': Type.String({
      format: 'date-time',
      description: 'The time from which nextCursor is refused. Present with nextCursor.',
      examples: [EXAMPLE_CURSOR_EXPIRES],
    }),
    Link: Type.String({
      description: 'The URL of the next page, as rel="next". Present with nextCursor.',
      examples: [`<${path}?cursor=${EXAMPLE_CURSOR}>; rel="next"`],
    }),
  });

/** Returns a function that answers a request for the list of an account at a path: with the body, and the headers of the next page. */
export function listResponder(dependencies: ListingDependencies) {
  const { store, cursors, cursorLifetimeSeconds, statuses, now } = dependencies;
  const readListQuery = listQueryReader(statuses, cursors, cursorLifetimeSeconds);

  return async (parameters: QueryParameters, reply: FastifyReply, account: string, path: string) => {
    await statuses.readFor(parameters['status']);
    const nowMs = now();
    const query = readListQuery(parameters, account, nowMs, path);
    const { transactions, next } = await listTransactions(store, query);
    const data = transactions.map(transactionBody);
    if (next === null) return { data, nextCursor: null, hasMore: false };

    const expiresAtMs = nowMs + cursorLifetimeSeconds * 1000;
    const nextCursor = cursors.seal(account, { filter: query.filter, after: next, expiresAtMs });
    reply.header('cursor-expires', formatTimestamp(expiresAtMs));
    reply.header('link', `<${nextPath(nextCursor, query.filter, path)}>; rel="next"`);
    return { data, nextCursor, hasMore: true };
  };
}
