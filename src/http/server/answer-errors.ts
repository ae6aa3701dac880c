import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { TooManyWaiting } from '../../core/changes/change-watcher.ts';
import { TooManyExports } from '../../core/exports/running-exports.ts';
import { type Problem, problemOf, sendProblem } from '../problems/problem.ts';
import { standardHeaders } from './standard-headers.ts';

/** Counts and logs a response that no hook sees. */
export type ReportUnrouted = (problem: Problem, requestId: string) => void;

/**
 * Answers every error of a hook or a handler with a problem document. Logs the cause of errors from 500, except if there are
 * too many waiting callers or exports: that is no failure of the service, and the line of the request has its code.
 */
export function answerErrors(app: FastifyInstance, logger: Logger, reportUnrouted: ReportUnrouted): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500 && !(error instanceof TooManyWaiting || error instanceof TooManyExports)) {
      logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: problem.cause ?? error },
        problem.message,
      );
    }
    // Fastify runs no hook for a malformed URL with a method that has no routes.
    if (!reply.hasHeader('request-id')) return answerUnrouted(problem, request, reply, reportUnrouted);
    return sendProblem(reply, problem);
  });
}

/** Answers a request that Fastify refused before its hooks. */
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
