import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { OPERATOR_ACCOUNT } from '../../core/access/api-key.ts';
import { callerAddress } from '../access/caller-address.ts';
import { validPathParameter } from '../path-parameters.ts';
import { durationMsOf } from '../server/begin-request.ts';
import { loggable } from './loggable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a route adds to the log line of its request: only identifiers and counts of a query or a body. */
    logFields: object | null;
    isLogged: boolean;
  }
}

/** The caller of a response with one of these is not authenticated, or is over a limit: its address is logged. */
const ADDRESS_STATUSES = new Set([401, 429]);

/** Logs one line for each request: when it is answered, or when its caller closes the connection before that. */
export function logRequests(app: FastifyInstance, logger: Logger, monotonicMs: () => number): void {
  app.decorateRequest('logFields', null);
  app.decorateRequest('isLogged', false);

  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (request.isLogged) return;
      logger.info({ ...fieldsOf(request, reply, monotonicMs()), aborted: true }, 'request');
    });
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    request.isLogged = true;
    logger.info(fieldsOf(request, reply, monotonicMs()), 'request');
    done();
  });
}

/** Of the URL, only the route and valid identifiers are logged, because the rest contains cursors and filters. */
function fieldsOf(request: FastifyRequest, { statusCode }: FastifyReply, nowMs: number): object {
  const { caller, problem } = request;
  const callerAccount = caller?.account === OPERATOR_ACCOUNT ? undefined : caller?.account;
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: statusCode,
    code: problem?.code,
    durationMs: durationMsOf(request, nowMs),
    account: callerAccount ?? loggable(validPathParameter(request, 'account')),
    reference: loggable(validPathParameter(request, 'reference')),
    targetKeyId: validPathParameter(request, 'id'),
    differs: problem?.options.differences?.map(({ field }) => field),
    keyId: caller?.keyId,
    address: ADDRESS_STATUSES.has(statusCode) ? callerAddress(request) : undefined,
    ...request.logFields,
  };
}
