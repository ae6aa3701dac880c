import { FIRST_TIMESTAMP_MS, formatTimestamp, TIMESTAMP_FORM } from '../../../../values/calendar.ts';
import { CURSOR_FORM } from '../../../../values/cursor-form.ts';
import { FairSlots } from '../../../../values/fair-slots.ts';
import { MAX_FOUND } from '../../../../values/interface/limits.ts';
import { withinTime } from '../../../../values/time-limit.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { nextPath, PAGE_HEADERS, setPageHeaders } from '../../../http/operations/page.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../../http/server/long-request.ts';
import { type ArchiveReader, archivedBefore } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { ARCHIVED_BEFORE } from '../../http/archived-before.ts';
import { lookUp } from '../../http/look-up.ts';
import { TransactionSchema, transactionBody } from '../../http/transaction-schemas.ts';
import { timeRange } from '../../list/list.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import type { SearchCursorSealer, TransactionSearcher } from '../search.ts';
import { MAX_COMPARED_BY_SEARCH, searchTransactions as search } from '../search-transactions.ts';
import { searchParameters, searchRequestReader } from './search-request.ts';

export const SearchPageSchema = Type.Object(
  {
    data: Type.Array(Type.Ref(TransactionSchema), {
      description: 'Newest first. It can be empty although hasMore is true.',
      maxItems: MAX_FOUND,
    }),
    searchedBackTo: Type.String({
      description:
        'The time back to which the search is complete: every matching transaction that was created after it is in the responses so far.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
      examples: ['2026-03-19T09:30:00.000Z'],
    }),
    nextCursor: Type.Nullable({
      description: 'Opaque. Send it as cursor to continue the search. Null at its end.',
      pattern: CURSOR_FORM,
    }),
    hasMore: Type.Boolean({ description: 'Whether older transactions have not been compared yet.' }),
    ...ARCHIVED_BEFORE,
  },
  { $id: 'SearchPage', title: 'SearchPage' },
);

const SLOTS = 8;
/** A search takes about as long as ten list requests. */
const SEARCH_COST = 10;

interface SearchContext extends Context<TransactionSearcher & ArchiveReader> {
  searchCursors: SearchCursorSealer;
  cursorLifetimeSeconds: number;
  statuses: RecognisedStatuses;
}

const PATH = '/v1/search';

export const searchTransactionsOperation = defineOperation({
  method: 'GET',
  cost: SEARCH_COST,
  public: {
    id: 'searchTransactions',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Search',
    description:
      `Finds transactions by amount, day of payment, or part of a reference or detail, newest first, at most ${MAX_FOUND} in each response. A request compares at most ${MAX_COMPARED_BY_SEARCH} transactions, so data can be empty ` +
      `although older transactions match: follow nextCursor until hasMore is false. It counts as ${SEARCH_COST} requests for the rate limit.`,
  },
  operator: lookUp(PATH, {
    id: 'searchAccountTransactions',
    summary: 'Search',
  }),
  pathParameters: { account: ACCOUNT },
  query: searchParameters,
  responses: {
    200: jsonResponse(
      'The transactions that match.',
      Type.Ref(SearchPageSchema),
      EXAMPLES.search,
      PAGE_HEADERS,
    ),
  },
  problems: ['missing_search_term'],
  handler: ({
    store,
    searchCursors,
    cursorLifetimeSeconds,
    statuses,
    requestTimeoutMs,
    now,
    monotonicMs,
  }: SearchContext) => {
    const readRequest = searchRequestReader(statuses, searchCursors, cursorLifetimeSeconds);
    const searcher: TransactionSearcher = {
      searchTransactions: (...step) => withinTime(store.searchTransactions(...step), requestTimeoutMs),
    };
    const slots = new FairSlots(SLOTS);

    return async (request, reply) => {
      const account = accountOf(request);
      await statuses.readFor(request.query['status']);
      const nowMs = now();
      const { query, sent } = readRequest(request.query, account, nowMs, (next) => nextPath(request, next));
      const { transactions, next } = await slots.run(account, 'search_limit', () =>
        withoutTimeLimit(reply, (gone) => search(searcher, query, { monotonicMs, gone })),
      );
      request.logFields = { count: transactions.length };
      const data = transactions.map(transactionBody);
      const { fromMs } = timeRange(query.filter);
      const archive = await store.readArchive(account);
      const archived = archivedBefore(archive, { fromMs, timeZone: query.filter.timeZone });
      if (next === null) {
        const searchedBackTo = formatTimestamp(fromMs ?? FIRST_TIMESTAMP_MS);
        return { data, searchedBackTo, nextCursor: null, hasMore: false, ...archived };
      }
      const expiresAtMs = nowMs + cursorLifetimeSeconds * 1000;
      const { cursor: nextCursor, query: nextQuery } = searchCursors.seal(account, {
        sent,
        after: next,
        expiresAtMs,
      });
      setPageHeaders(reply, expiresAtMs, nextQuery);
      const searchedBackTo = formatTimestamp(next.createdAtMs);
      return { data, searchedBackTo, nextCursor, hasMore: true, ...archived };
    };
  },
});
