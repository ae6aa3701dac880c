import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { OPERATOR_ACCOUNT } from '../../core/access/api-key.ts';
import { callerAddress } from '../access/caller-address.ts';
import { validPathParameter } from '../path-parameters.ts';
import { loggable } from './loggable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a route adds to the log line of its request: identifiers and counts, no other value of a query or a body. */
    logFields: object | null;
    isLogged: boolean;
  }
}

/** Who was refused by these is not known by a key. */
const ADDRESS_STATUSES = new Set([401, 429]);

/** Logs one line for each request: once it is answered, or once its caller has broken the connection off before. */
export function logRequests(app: FastifyInstance, logger: Logger, monotonicMs: () => number): void {
  app.decorateRequest('logFields', null);
  app.decorateRequest('isLogged', false);
  const durationMsOf = ({ startedAtMs }: FastifyRequest) =>
    Math.round((monotonicMs() - startedAtMs) * 1000) / 1000;

  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (request.isLogged) return;
      logger.info({ ...fieldsOf(request, reply, durationMsOf(request)), aborted: true }, 'request');
    });
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    request.isLogged = true;
    logger.info(fieldsOf(request, reply, durationMsOf(request)), 'request');
    done();
  });
}

/** The fields of a request's line. Of its address, it has the route and valid identifiers alone: cursors and filters are in the rest. */
function fieldsOf(request: FastifyRequest, { statusCode }: FastifyReply, durationMs: number): object {
  const { caller, problem } = request;
  const own = caller?.account === OPERATOR_ACCOUNT ? undefined : caller?.account;
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: statusCode,
    code: problem?.code,
    durationMs,
    account: own ?? loggable(validPathParameter(request, 'account')),
    reference: loggable(validPathParameter(request, 'reference')),
    targetKeyId: validPathParameter(request, 'id'),
    differs: problem?.options.differences?.map(({ field }) => field),
    keyId: caller?.keyId,
    address: ADDRESS_STATUSES.has(statusCode) ? callerAddress(request) : undefined,
    ...request.logFields,
  };
}
