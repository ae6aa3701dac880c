import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticate, callerOf, type KeyChecks } from '../../../http/access/authenticate.ts';
import type { QueryParameters } from '../../../http/parse-query.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { whileLong } from '../../../http/server/long-request.ts';
import { FaultList } from '../../../values/fault-list.ts';
import { type AwaitedChanges, awaitChanges, type WaitingCaller } from '../await-changes.ts';
import type { Change, ChangeReader } from '../change.ts';
import {
  CHANGE_FAULT_CODES,
  type ChangeFault,
  type ChangeRequest,
  DEFAULT_CHANGES,
  MAX_CHANGES,
  readChangeRequest,
} from '../change-query.ts';
import type { ChangeWatcher } from '../change-watcher.ts';
import { formatChange } from '../format-change.ts';
import { listChanges } from '../list-changes.ts';
import { CHANGE_EXAMPLES, CHANGE_PROBLEM_EXAMPLES } from './change-examples.ts';
import type { ChangeMetrics } from './change-metrics.ts';
import { type ChangeBody, ChangePage, type ChangePageBody, listChangesQuery } from './change-schemas.ts';

export const CHANGES_PATH = '/v1/changes';

export interface ListChangesDependencies {
  reader: Pick<ChangeReader, 'listChanges'>;
  watcher: ChangeWatcher;
  monotonicMs: () => number;
  metrics: ChangeMetrics;
  authenticate: Authenticate<'account'>;
  keyChecks: KeyChecks;
}

export function listChangesRoute(app: FastifyInstance, dependencies: ListChangesDependencies): void {
  const { reader, watcher, metrics, monotonicMs, authenticate } = dependencies;

  app.get<{ Querystring: QueryParameters }>(CHANGES_PATH, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'listChanges',
      tags: ['transactions'],
      summary: "List the changes of the account's transactions",
      description:
        `Oldest first, ${DEFAULT_CHANGES} on each page, or up to ${MAX_CHANGES} with limit. Changes are numbered 1, 2, 3 and so on for each account, without a ` +
        'gap, in the order in which they became visible: a copy with all numbers up to one has every change up to it. To keep a copy, ' +
        'apply each change, store lastSequence with it, and send it as after; with wait, the response comes when there is a change.',
      querystring: listChangesQuery,
      response: {
        200: jsonResponse('A page of changes.', Type.Ref(ChangePage), CHANGE_EXAMPLES, rateLimitHeaders),
        ...problemResponses([...KEY_PROBLEMS, ...CHANGE_FAULT_CODES], {
          keysAreLimited: true,
          examples: CHANGE_PROBLEM_EXAMPLES,
        }),
      },
    },
    handler: async (request, reply) => {
      const { account } = callerOf(request);
      const { waitMs, ...position } = readQuery(request.query);
      const query = { account, ...position };
      const { after } = query;
      request.logFields = { after, waitedMs: 0 };
      const result: AwaitedChanges =
        waitMs === 0
          ? { ...(await listChanges(reader, query)), recordedAtMs: undefined }
          : await awaitChanges(dependencies, query, waitMs, waitingCaller(request, reply, dependencies));
      const { changes, recordedAtMs } = result;
      request.logFields = { after, count: changes.length, ...request.logFields };
      metrics.countChanges(changes.length);
      if (recordedAtMs !== undefined) metrics.observeWakeUp((monotonicMs() - recordedAtMs) / 1000);
      // The response can belong to a request from before the stop.
      if (watcher.isStopped) reply.header('connection', 'close');
      return pageBody(after, result);
    },
  });
}

/** Throws: a Problem with all faults of the query. */
function readQuery(query: QueryParameters): ChangeRequest {
  const faults = new FaultList<ChangeFault>();
  const read = readChangeRequest(query, faults);
  refuseFaulty(query, faults);
  return read;
}

function waitingCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyChecks, metrics, monotonicMs }: ListChangesDependencies,
): WaitingCaller {
  return {
    isAdmitted: () => keyChecks.isStillAdmitted(callerOf(request)),
    authenticate: () => keyChecks.authenticateAgain(request),
    whileWaiting: async (wait) => {
      const beganAtMs = monotonicMs();
      metrics.countWaiting(1);
      try {
        return await whileLong(reply, wait);
      } finally {
        metrics.countWaiting(-1);
        request.waitedMs += monotonicMs() - beganAtMs;
        // Also if the request then fails. With three decimals, as durationMs.
        request.logFields = { ...request.logFields, waitedMs: Math.round(request.waitedMs * 1000) / 1000 };
        if (!reply.raw.destroyed && !reply.raw.headersSent) reply.restartTimeLimit();
      }
    },
  };
}

const changeBody: (change: Change) => ChangeBody = formatChange;

function pageBody(after: number, { changes, headSequence }: AwaitedChanges): ChangePageBody {
  const data = changes.map(changeBody);
  const lastSequence = data.at(-1)?.sequence ?? after;
  return { data, lastSequence, headSequence, hasMore: lastSequence < headSequence };
}
