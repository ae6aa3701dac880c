import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Problem } from '../../../values/problem.ts';
import { UNAVAILABLE } from '../../../values/unavailable.ts';
import { problemOf, sendProblem } from '../problems/problem.ts';
import { LogInterval } from '../telemetry/log-interval.ts';
import { standardHeaders } from './begin-request.ts';
import { CallerGone } from './long-request.ts';

/** A request that was refused because of a limit is not logged as an error, because nothing has failed. */
const isLimit = ({ options: { reason } }: Problem) =>
  reason !== undefined && 'isLimit' in UNAVAILABLE[reason];

export type ReportUnrouted = (problem: Problem, requestId: string) => void;

/** While the database is away, every request fails. So each cause of 503 is logged only once in this time. */
const OUTAGE_LOG_INTERVAL_MS = 10_000;

export function answerErrors(
  app: FastifyInstance,
  logger: Logger,
  monotonicMs: () => number,
  reportUnrouted: ReportUnrouted,
): void {
  const outages = new LogInterval(OUTAGE_LOG_INTERVAL_MS, monotonicMs);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof CallerGone) {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    const problem = problemOf(error, request);
    if (problem.status >= 500 && !isLimit(problem)) {
      const err = (problem.cause ?? error) as Error;
      const { reason } = problem.options;
      // An error without a reason is a mistake in the service, so each one is logged.
      const unlogged = reason === undefined ? 0 : outages.take(`${reason} ${err.message}`);
      if (unlogged !== undefined)
        logger.error(
          { requestId: request.id, route: request.routeOptions.url, err, ...(unlogged > 0 && { unlogged }) },
          problem.message,
        );
    }
    // Fastify runs no hook for a malformed URL if the method has no routes, so no request-id was set.
    if (!reply.hasHeader('request-id')) return answerUnrouted(problem, request, reply, reportUnrouted);
    return sendProblem(reply, problem);
  });
}

export function answerUnrouted(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  reportUnrouted: ReportUnrouted,
): FastifyReply {
  reply.headers(standardHeaders(request.id));
  reportUnrouted(problem, request.id);
  return sendProblem(reply, problem);
}
