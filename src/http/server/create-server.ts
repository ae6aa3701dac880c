import type { Tracer } from '@opentelemetry/api';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { Logger } from 'pino';
import type { BackgroundTurns } from '../../../values/background-turns.ts';
import { MAX_BODY_BYTES, MAX_URL_CHARACTERS } from '../../../values/interface/limits.ts';
import type { Problem } from '../../../values/problem.ts';
import { UNAVAILABLE } from '../../../values/unavailable.ts';
import { type Shed, shedLoad } from '../overload/load-shedding.ts';
import { problemOf, sendProblem } from '../problems/problem.ts';
import { type CountedListener, type HttpMetrics, measureResponses } from '../telemetry/http-metrics.ts';
import { LogInterval } from '../telemetry/log-interval.ts';
import { logRequests } from '../telemetry/request-log.ts';
import { traceRequests } from '../telemetry/tracing.ts';
import { beginRequests, checkHeads, parseQuery, requestIdOf, standardHeaders } from './begin-request.ts';
import { proxyMatcher } from './caller-address.ts';
import { answerClientError, isFirstError } from './client-errors.ts';
import { ConnectionLimiter } from './connection-limits.ts';
import { createHttpServer, Pipelines } from './http-server.ts';
import { CallerGone } from './long-request.ts';
import { answerNotFound } from './not-found.ts';
import { ignoreBodies } from './request-bodies.ts';
import { limitRequestTime } from './request-time-limit.ts';

export interface ServerOptions {
  listener: CountedListener;
  takesBodiesOfAnyLength: boolean;
  sheds: Shed | 'nothing';
  requestTimeoutMs: number;
  /** The limit for a request's first line and headers together. */
  maxHeaderBytes: number;
  keepAliveSeconds: number;
  /** Null for no limit. Trusted proxies are exempt. */
  connectionsPerAddress: number | null;
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  trustedProxies: readonly string[];
  logAddresses: boolean;
  /** Aborted when the service stops. Each later response closes its connection. */
  stopping: AbortSignal;
  turns?: Pick<BackgroundTurns, 'noteRequest'> | undefined;
  monotonicMs: () => number;
  logger: Logger;
  metrics: HttpMetrics;
  tracer?: Tracer | null | undefined;
}

/**
 * The order of everything that runs before a handler:
 * 1. `ConnectionLimiter` accepts or closes a connection.
 * 2. node:http parses the request. `answerClientError` answers a malformed or slow one.
 * 3. `Pipelines` holds a request back until the previous one on its connection is answered.
 * 4. `shedLoad` refuses the request if there is too much load.
 * 5. Fastify finds the route and runs `parseQuery`, then the hooks below, then the route's `authenticate`.
 * 6. Fastify reads the body, if the operation takes one.
 * 7. `addOperations` checks the path. Then the handler checks the query or the body.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { listener, logger, metrics, monotonicMs, takesBodiesOfAnyLength, tracer } = options;
  const isTrustedProxy = proxyMatcher(options.trustedProxies);
  const reportUnrouted: ReportUnrouted = (problem, requestId) => {
    metrics.countProblem(listener, problem);
    logger.info({ requestId, status: problem.status, code: problem.code }, 'request');
  };
  const { closeUnused, ...guards } = serverBehindGuards(options, reportUnrouted);
  const app = Fastify({
    ...guards,
    // Fastify's log lines would contain URLs, with their cursors and filters.
    logger: false,
    genReqId: requestIdOf,
    // A function, because Fastify's own list of proxies does not recognise an address with a port.
    trustProxy: options.trustedProxies.length > 0 && isTrustedProxy,
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    schemaController: NO_COMPILERS,
    // By default, Fastify answers 404 to a path parameter over 100 characters, before the rules for it apply.
    routerOptions: { querystringParser: parseQuery, maxParamLength: MAX_URL_CHARACTERS },
    frameworkErrors: (error, request, reply) =>
      void answerUnrouted(problemOf(error, request), request, reply, reportUnrouted),
  });
  app.addHook('preClose', async () => closeUnused());
  app.decorateRequest('caller', null);
  app.decorateRequest('problem', null);

  // The hooks of step 5 in the list above. They run in this order.
  const onEnd = beginRequests(app, monotonicMs, options.turns);
  checkHeads(app, { listener, takesBodiesOfAnyLength, isTrustedProxy });
  if (tracer) traceRequests(app, onEnd, tracer);
  limitRequestTime(app, onEnd, options.requestTimeoutMs);
  answerNotFound(app, listener);

  ignoreBodies(app);

  answerErrors(app, logger, monotonicMs, reportUnrouted);

  logRequests(app, onEnd, options);
  measureResponses(onEnd, listener, metrics);
  return app;
}

function serverBehindGuards(
  options: ServerOptions,
  reportUnrouted: ReportUnrouted,
): Pick<FastifyServerOptions, 'serverFactory' | 'clientErrorHandler'> & { closeUnused: () => void } {
  const { connectionsPerAddress, trustedProxies, sheds, maxHeaderBytes, stopping } = options;
  const limiter = new ConnectionLimiter(
    { perAddress: connectionsPerAddress, exempt: trustedProxies },
    options,
  );
  let pipelines: Pipelines;
  return {
    serverFactory: (handle) => {
      const guarded = sheds === 'nothing' ? handle : shedLoad(handle, { ...options, sheds });
      pipelines = new Pipelines(guarded, stopping, (address) => limiter.countClosed('pipelined', address));
      const server = createHttpServer(pipelines.handle, options);
      limiter.watch(server);
      return server;
    },
    closeUnused: () => limiter.closeUnused(),
    clientErrorHandler: (error, socket) => {
      if (!isFirstError(socket)) return;
      pipelines.whenAnswered(socket, () => answerClientError(error, socket, maxHeaderBytes, reportUnrouted));
    },
  };
}

type Compilers = Required<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
>;

const acceptAll = () => () => () => true;

/** Keeps Fastify from loading its two schema compilers. The loading would take a tenth of the start time. */
const NO_COMPILERS: { compilersFactory: Compilers } = {
  compilersFactory: {
    buildValidator: acceptAll as unknown as Compilers['buildValidator'],
    buildSerializer: () => () => JSON.stringify,
  },
};

/** A request that was refused because of a limit is not logged as an error, because nothing has failed. */
const isLimit = ({ options: { reason } }: Problem) =>
  reason !== undefined && 'isLimit' in UNAVAILABLE[reason];

type ReportUnrouted = (problem: Problem, requestId: string) => void;

/** While the database is away, every request fails. So each cause of 503 is logged only once in this time. */
const OUTAGE_LOG_INTERVAL_MS = 10_000;

function answerErrors(
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

function answerUnrouted(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  reportUnrouted: ReportUnrouted,
): FastifyReply {
  reply.headers(standardHeaders(request.id));
  reportUnrouted(problem, request.id);
  return sendProblem(reply, problem);
}
