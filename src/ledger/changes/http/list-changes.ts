import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_ITEMS, MAX_ITEMS } from '../../../../values/interface/limits.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, callerOf, defineOperation } from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../../http/server/long-request.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { lookUp } from '../../http/look-up.ts';
import { type AwaitedChanges, awaitChanges, type WaitingCaller } from '../await-changes.ts';
import { type Change, type ChangeQuery, type ChangeReader, changeId, formatChange } from '../change.ts';
import type { ChangeWatcher } from '../change-watcher.ts';
import { listChanges as listPage } from '../changes.ts';
import type { ChangeMetrics } from './change-metrics.ts';
import { CHANGE_PARAMETERS, readChangeRequest } from './change-parameters.ts';
import { type ChangeBody, type ChangePageBody, ChangePageSchema } from './change-schemas.ts';

interface ChangesContext extends Context<Pick<ChangeReader, 'listChanges'>> {
  watcher: ChangeWatcher;
  metrics: ChangeMetrics;
}

const PATH = '/v1/changes';
export const listChangesOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listChanges',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'List changes',
    description:
      `Oldest first, ${DEFAULT_ITEMS} on each page, or up to ${MAX_ITEMS} with limit. Changes are numbered 1, 2, 3 and so on for each account, without a ` +
      'gap, in the order in which they became visible: a copy with all numbers up to one has every change up to it. To keep a copy, ' +
      'apply each change, store lastSequence and lastId with it, and send them as after and afterId; with wait, the response comes when there ' +
      'is a change. If the database was restored and no longer has your last change, the response is 409 `history_changed`.',
  },
  operator: lookUp(PATH, {
    id: 'listAccountChanges',
    summary: 'List changes',
    note: 'GET /v1/accounts has the number of the last change of each account: read only those that have moved.',
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
        ? { ...(await listPage(store, query)), recordedAtMs: undefined }
        : await awaitChanges(
            { reader: store, watcher, monotonicMs },
            query,
            waitMs,
            waitingCaller(request, reply, context),
          );
    const { changes, recordedAtMs } = result;
    request.logFields = { after, count: changes.length, ...request.logFields };
    metrics.countChanges(changes.length);
    if (recordedAtMs !== undefined) metrics.observeWakeUp((monotonicMs() - recordedAtMs) / 1000);
    // While the request waited, the service may have begun to stop.
    if (watcher.isStopped) reply.header('connection', 'close');
    return pageBody(query, result);
  },
});

function waitingCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyChecks, metrics, monotonicMs }: ChangesContext,
): WaitingCaller {
  return {
    isAdmitted: () => keyChecks.isStillAdmitted(callerOf(request)),
    whileWaiting: async (wait) => {
      const beganAtMs = monotonicMs();
      metrics.countWaiting(1);
      try {
        return await withoutTimeLimit(reply, wait);
      } finally {
        metrics.countWaiting(-1);
        request.waitedMs += monotonicMs() - beganAtMs;
        // Logged even if the request then fails. Three decimals, like durationMs.
        request.logFields = { ...request.logFields, waitedMs: Math.round(request.waitedMs * 1000) / 1000 };
        if (!reply.raw.destroyed && !reply.raw.headersSent) reply.restartTimeLimit();
      }
    },
  };
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
