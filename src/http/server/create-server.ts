import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { quote } from '../../core/quote.ts';
import { shedLoad } from '../overload/load-shedding.ts';
import { parseQuery } from '../parse-query.ts';
import { checkPathParameters } from '../path-parameters.ts';
import { Problem, problemOf, sendProblem } from '../problems/problem.ts';
import { loggable } from '../telemetry/loggable.ts';
import type { Metrics, ObservedResponse } from '../telemetry/metrics.ts';
import { logRequests } from '../telemetry/request-log.ts';
import { answerClientError, isFirstError } from './client-errors.ts';
import { ConnectionLimiter } from './connection-limits.ts';
import { createHttpServer } from './http-server.ts';
import { methodsByPath } from './methods-by-path.ts';
import { Pipelines } from './pipelines.ts';
import { MAX_BODY_BYTES, MAX_URL_CHARACTERS, standardHeaders } from './transport-limits.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** A caller's own request id, where it is harmless in a log, or a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['request-id'] ?? request.headers['x-request-id'];
  const isHarmless = typeof given === 'string' && REQUEST_ID.test(given) && loggable(given) === given;
  return isHarmless ? given : randomUUID();
}

export interface ServerOptions {
  logger: Logger;
  monotonicMs: () => number;
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** How many connections an address may have open, or null for any number; trusted proxies are exempt. */
  connectionsPerAddress: number | null;
  /** Whether operations take bodies, which may be streams of any length. */
  takesBodies: boolean;
  /** Where requests are refused that could not be answered in this time, or null to take all of them. */
  refusedAfterMs: number | null;
  metrics: Metrics;
}

/** What the parts of a server have in common. */
type Parts = Pick<ServerOptions, 'logger' | 'monotonicMs' | 'takesBodies' | 'metrics'> & {
  listener: ObservedResponse['listener'];
  /** Counts and logs an answer that no route and no hook sees, under its id. */
  noteUnrouted: (problem: Problem, requestId: string) => void;
};

/** An HTTP server without routes: limits, timeouts, request ids, one shape of errors, one log line a request. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { logger, metrics, takesBodies } = options;
  const listener = takesBodies ? 'operator' : 'public';
  const parts: Parts = {
    ...options,
    listener,
    noteUnrouted: (problem, requestId) => {
      metrics.countProblem(listener, problem);
      logger.info({ requestId, status: problem.status, code: problem.code }, 'request');
    },
  };
  const app = createFastify(options, parts);

  // Bodies have their schema's type, and tests hold every answer against it. Compiled serialisers are slower than
  // JSON.stringify, and took 75 ms at the start.
  app.setSerializerCompiler(() => JSON.stringify);
  // Handlers check values by the rules of core, which report all faults together.
  app.setValidatorCompiler(() => () => true);

  app.decorateRequest('caller', null);
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('problem', null);
  logRequests(app, logger, options.monotonicMs);

  checkHeads(app, parts);
  app.removeAllContentTypeParsers();
  if (takesBodies) readBodies(app);
  // It is left unread, so that a method that is not allowed is told as just that.
  else app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  answerNotFound(app);
  checkPathParameters(app);
  answerErrors(app, parts);
  observeAnswers(app, parts);
  return app;
}

/** Fastify on a server of node:http, behind what bounds connections and load. */
function createFastify(options: ServerOptions, parts: Parts): FastifyInstance {
  const { trustedProxies, connectionsPerAddress, takesBodies, refusedAfterMs } = options;
  const connections = new ConnectionLimiter(
    { perAddress: connectionsPerAddress, exempt: trustedProxies },
    parts,
  );
  const guard = (handle: RequestListener) =>
    refusedAfterMs === null ? handle : shedLoad(handle, { ...parts, timeoutMs: refusedAfterMs });
  let pipelines: Pipelines;
  return Fastify({
    // Our own line at the end of a request replaces the default ones, which hold the address and so cursors and filters.
    logger: false,
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    // A parameter of any length reaches its rule: an address has its own limit.
    routerOptions: { querystringParser: parseQuery, maxParamLength: MAX_URL_CHARACTERS },
    frameworkErrors: (error, request, reply) => void answerUnrouted(problemOf(error), request, reply, parts),
    clientErrorHandler: (error, socket) => {
      if (!isFirstError(socket)) return;
      pipelines.whenAnswered(socket, () => answerClientError(error, socket, parts.noteUnrouted));
    },
    serverFactory: (handle) => {
      pipelines = new Pipelines(guard(handle), (address) => connections.noteClosed('pipelined', address));
      const server = createHttpServer(pipelines.handle, takesBodies);
      connections.watch(server);
      return server;
    },
  });
}

function answerUnrouted(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  { noteUnrouted }: Parts,
): FastifyReply {
  reply.headers(standardHeaders(request.id));
  noteUnrouted(problem, request.id);
  return sendProblem(reply, problem);
}

/** A promise: nothing is answered before all that came with the head was parsed, and found to be well-formed. */
function checkHeads(app: FastifyInstance, { monotonicMs, takesBodies }: Parts): void {
  app.addHook('onRequest', async (request, reply) => {
    request.startedAtMs = monotonicMs();
    reply.headers(standardHeaders(request.id));
    const { host } = request.raw.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') {
      throw new Problem('invalid_request', 'The request has no Host header, which HTTP/1.1 requires.');
    }
    // Several headers of a name are joined like this, which no host holds.
    if (host?.includes(', ')) {
      throw new Problem('invalid_request', 'The request has more than one Host header. Send one.');
    }
    if (request.raw.url !== undefined && request.raw.url.length > MAX_URL_CHARACTERS) {
      throw new Problem(
        'uri_too_long',
        `The address has ${request.raw.url.length} characters; at most ${MAX_URL_CHARACTERS} are read.`,
      );
    }
    if (!takesBodies && Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      throw new Problem('payload_too_large', 'The body is larger than this operation takes.', {
        headers: { connection: 'close' },
      });
    }
  });
}

function answerNotFound(app: FastifyInstance): void {
  const methodsOf = methodsByPath(app);

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const methods = methodsOf(path);
    if (methods.length === 0) {
      return sendProblem(reply, new Problem('not_found', `There is no resource at ${quote(path)}.`));
    }
    const allow = methods.join(', ');
    const problem = new Problem(
      'method_not_allowed',
      `${quote(path)} takes ${allow}, not ${request.method}.`,
      { headers: { allow } },
    );
    return sendProblem(reply, problem);
  });
}

function answerErrors(app: FastifyInstance, parts: Parts): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) {
      parts.logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: problem.cause ?? error },
        problem.message,
      );
    }
    // Fastify refuses a broken address of a method that it does not know here, and runs no hook.
    if (!reply.hasHeader('request-id')) return answerUnrouted(problem, request, reply, parts);
    return sendProblem(reply, problem);
  });
}

function observeAnswers(app: FastifyInstance, { monotonicMs, metrics, listener }: Parts): void {
  app.addHook('onResponse', (request, reply, done) => {
    // Fastify makes them anew at each look.
    const { url: route } = request.routeOptions;
    const durationMs = Math.round((monotonicMs() - request.startedAtMs) * 1000) / 1000;
    metrics.observe({
      listener,
      method: request.method,
      route: route ?? 'none',
      status: reply.statusCode,
      problem: request.problem,
      durationSeconds: durationMs / 1000,
    });
    done();
  });
}

/** Reads JSON objects. */
function readBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      const body: unknown = JSON.parse(String(text));
      if (typeof body === 'object' && body !== null && !Array.isArray(body)) return done(null, body);
      done(new Problem('invalid_body', 'The body is JSON, but not an object.'));
    } catch (error) {
      done(new Problem('invalid_body', `The body is not JSON: ${(error as Error).message}.`));
    }
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    startedAtMs: number;
    /** What the request was answered with, where that was a problem document. */
    problem: Problem | null;
  }
}
