import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_ITEMS, MAX_ITEMS } from '../../../../values/interface/limits.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, callerOf, defineOperation } from '../../../http/operations/operation.ts';
import {
  PAGE_HEADERS,
  PAGE_QUERY,
  type Page,
  type PageContext,
  readPage,
} from '../../../http/operations/page.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../../http/server/long-request.ts';
import type { ArchiveReader } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { transactionNotFound } from '../../http/archived-before.ts';
import { lookUp } from '../../http/look-up.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import {
  type Change,
  type ChangeQuery,
  type ChangeReader,
  type ChangeResult,
  changeId,
  formatChange,
} from '../change.ts';
import type { ChangeWatcher, WaitEnd } from '../change-watcher.ts';
import { listChanges as listPage } from '../changes.ts';
import type { ChangeMetrics } from './change-metrics.ts';
import { CHANGE_PARAMETERS, readChangeRequest } from './change-parameters.ts';
import {
  CHANGES_OF_PAGE,
  type ChangeBody,
  type ChangePageBody,
  ChangePageSchema,
  TransactionChangesSchema,
} from './change-schemas.ts';

interface ChangesContext extends Context<Pick<ChangeReader, 'listChanges'>> {
  watcher: ChangeWatcher;
  metrics: ChangeMetrics;
}

const PATH = '/v1/changes';
const listChangesOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listChanges',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'List changes',
    description:
      `Oldest first, ${DEFAULT_ITEMS} on each page, or up to ${MAX_ITEMS} with limit. Changes are numbered 1, 2, 3 and so on for each account, without a ` +
      'gap, in the order in which they became visible: a copy with the numbers 1 to n has every change up to n. To keep a copy, ' +
      'apply each change, store lastSequence and lastId with it, and send them as after and afterId; with wait, the response comes when there ' +
      'is a change. If the database was restored and no longer has your last change, the response is 409 `history_changed`.',
  },
  operator: lookUp(PATH, {
    id: 'listAccountChanges',
    summary: 'List changes',
    note: 'GET /v1/accounts has the number of the last change of each account: read only the accounts whose number has grown.',
  }),
  pathParameters: { account: ACCOUNT },
  query: CHANGE_PARAMETERS,
  responses: { 200: jsonResponse('A page of changes.', Type.Ref(ChangePageSchema), EXAMPLES.changes) },
  problems: ['history_changed', 'changes_archived', 'sequence_ahead', 'too_many_waiting'],
  handler: (context: ChangesContext) => async (request, reply) => {
    const { store, watcher, metrics, monotonicMs } = context;
    const { waitMs, ...position } = readChangeRequest(request.query);
    const query = { account: accountOf(request), ...position };
    const { after } = query;
    request.logFields = { after, waitedMs: 0 };
    const result: AwaitedChanges =
      waitMs === 0
        ? await listPage(store, query)
        : await awaitChanges(request, reply, context, query, waitMs);
    const { changes, recordedAtMs } = result;
    request.logFields = { after, count: changes.length, ...request.logFields };
    metrics.countChanges(changes.length);
    if (recordedAtMs !== undefined) metrics.observeWakeUp((monotonicMs() - recordedAtMs) / 1000);
    if (watcher.isStopped) reply.header('connection', 'close');
    return pageBody(query, result);
  },
});

interface AwaitedChanges extends ChangeResult {
  recordedAtMs?: number | undefined;
}

async function awaitChanges(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ChangesContext,
  query: ChangeQuery,
  waitMs: number,
): Promise<AwaitedChanges> {
  const { store, watcher, keyChecks, monotonicMs } = context;
  // Observe before the first read, because a recording during the read must end the wait.
  const observation = watcher.observe(query.account);
  const untilMs = monotonicMs() + waitMs;
  const isAdmitted = () => keyChecks.isStillAdmitted(callerOf(request));
  const wait = (gone: AbortSignal) => {
    if (gone.aborted) observation.close();
    else gone.addEventListener('abort', () => observation.close(), { once: true });
    return observation.wait({ after: query.after, untilMs, isAdmitted });
  };
  try {
    let result = await listPage(store, query);
    while (result.changes.length === 0) {
      const end = await whileWaiting(request, reply, context, wait);
      const { recordedAtMs } = observation;
      if (end === 'gone' || end === 'refused' || end === 'stopped') break;
      observation.clear();
      result = await listPage(store, query);
      if (result.changes.length > 0) return { ...result, recordedAtMs };
      if (end !== 'change') break;
    }
    return result;
  } finally {
    observation.close();
  }
}

async function whileWaiting(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, monotonicMs }: ChangesContext,
  wait: (gone: AbortSignal) => Promise<WaitEnd>,
): Promise<WaitEnd> {
  const beganAtMs = monotonicMs();
  metrics.countWaiting(1);
  try {
    return await withoutTimeLimit(reply, wait);
  } finally {
    metrics.countWaiting(-1);
    request.waitedMs += monotonicMs() - beganAtMs;
    request.logFields = { ...request.logFields, waitedMs: Math.round(request.waitedMs * 1000) / 1000 };
    if (!reply.raw.destroyed && !reply.raw.headersSent) reply.restartTimeLimit();
  }
}

const changeBody: (account: string, change: Change) => ChangeBody = formatChange;

function pageBody(
  { account, after }: ChangeQuery,
  { last, changes, headSequence }: AwaitedChanges,
): ChangePageBody {
  const data = changes.map((change) => changeBody(account, change));
  const lastSequence = data.at(-1)?.sequence ?? after;
  const lastId = data.at(-1)?.id ?? (last === undefined ? null : changeId(account, last));
  return { data, lastSequence, lastId, headSequence, hasMore: lastSequence < headSequence };
}

const OF_TRANSACTION_PATH = '/v1/transactions/:reference/changes';

const listTransactionChangesOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listTransactionChanges',
    path: OF_TRANSACTION_PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'List changes of a transaction',
    description:
      'Oldest first: one change, or two if the transaction was recorded as pending and then took another status.',
  },
  operator: lookUp(OF_TRANSACTION_PATH, {
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

export const CHANGE_OPERATIONS = [listTransactionChangesOperation, listChangesOperation];
