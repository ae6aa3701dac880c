import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { quote } from '../core/quote.ts';
import { Exchanges } from './exchanges.ts';
import { methodsByPath } from './methods-by-path.ts';
import type { Metrics } from './metrics.ts';
import { refuseOverload } from './overload.ts';
import { parseQuery } from './parse-query.ts';
import { checkPathParameters } from './path-parameters.ts';
import { Problem, problemOf, sendProblem } from './problem.ts';
import { logRequests } from './request-log.ts';

// An import would evaluate every export, an HTTP client that nothing here uses among them: 20 ms of the start.
const { createServer: createHttpServer, STATUS_CODES } = process.getBuiltinModule('node:http');

const MAX_HEADER_BYTES = 8192;
const MAX_URL_CHARACTERS = 4096;
const MAX_BODY_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Node's default of 30 s would let slow headers have four times their time. */
const TIMEOUTS_CHECKED_MS = 1000;
/** A connection without a request is closed after this time: longer than proxies keep theirs. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** More than one process can serve in time, and fewer than it may have files open. */
const MAX_CONNECTIONS = 10_000;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** A caller's own request id, where it is harmless in a log, or a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['request-id'] ?? request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

export interface ServerOptions {
  logger: Logger;
  monotonicMs: () => number;
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Whether operations take bodies, which may be streams of any length. */
  takesBodies: boolean;
  /** Where requests are refused that could not be answered in this time, or null to take all of them. */
  refusedAfterMs: number | null;
  metrics: Metrics;
}

/** What every answer carries, an error's included. */
function standardHeaders(requestId: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'request-id': requestId, 'x-content-type-options': 'nosniff' };
}

/** An HTTP server without routes: limits, timeouts, request ids, one shape of errors, one log line a request. */
export function createServer({
  logger,
  monotonicMs,
  trustedProxies,
  takesBodies,
  refusedAfterMs,
  metrics,
}: ServerOptions): FastifyInstance {
  const guard = (handle: RequestListener) =>
    refusedAfterMs === null
      ? handle
      : refuseOverload(handle, { timeoutMs: refusedAfterMs, monotonicMs, standardHeaders, logger, metrics });
  const listener = takesBodies ? 'operator' : 'public';
  /** What no route and no hook sees is counted, and found in the log under its id, all the same. */
  const noteUnrouted = (problem: Problem, requestId: string) => {
    metrics.countProblem(listener, problem);
    logger.info({ requestId, status: problem.status, code: problem.code }, 'request');
  };
  const answerUnrouted = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(standardHeaders(request.id));
    noteUnrouted(problem, request.id);
    return sendProblem(reply, problem);
  };
  const exchanges = new Exchanges();
  const app = Fastify({
    // Our own line at the end of a request replaces the default ones, which hold the address and so cursors and filters.
    logger: false,
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    // A parameter of any length reaches its rule: an address has its own limit.
    routerOptions: { querystringParser: parseQuery, maxParamLength: MAX_URL_CHARACTERS },
    frameworkErrors: (error, request, reply) => void answerUnrouted(problemOf(error), request, reply),
    clientErrorHandler: (error, socket) =>
      exchanges.whenAnswered(socket, () => answerClientError(error, socket, noteUnrouted)),
    serverFactory: (handle) => {
      const guarded = guard(handle);
      return makeHttpServer((request, response) => {
        exchanges.note(response);
        guarded(request, response);
      }, takesBodies);
    },
  });

  // Bodies have their schema's type, and tests hold every answer against it. Compiled serialisers are slower than
  // JSON.stringify, and took 75 ms at the start.
  app.setSerializerCompiler(() => JSON.stringify);

  app.decorateRequest('caller', null);
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('problem', null);
  logRequests(app, logger, monotonicMs);

  // A promise: nothing is answered before all that came with the head was parsed, and found to be well-formed.
  app.addHook('onRequest', async (request, reply) => {
    request.startedAtMs = monotonicMs();
    reply.headers(standardHeaders(request.id));
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new Problem('invalid_request', 'The request has no Host header, which HTTP/1.1 requires.');
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

  app.removeAllContentTypeParsers();
  if (takesBodies) readBodies(app);
  // It is left unread, so that a method that is not allowed is told as just that.
  else app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const methodsOf = methodsByPath(app);
  checkPathParameters(app);

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

  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) {
      logger.error(
        { requestId: request.id, route: request.routeOptions.url, err: problem.cause ?? error },
        problem.message,
      );
    }
    // Fastify refuses a broken address of a method that it does not know here, and runs no hook.
    if (!reply.hasHeader('request-id')) return answerUnrouted(problem, request, reply);
    return sendProblem(reply, problem);
  });

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

  return app;
}

function makeHttpServer(handle: RequestListener, takesBodies: boolean): HttpServer {
  const server = createHttpServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: takesBodies ? 0 : REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
      // Refused below, in the shape of every other error.
      requireHostHeader: false,
      // Two Authorization headers become one that is no key, instead of the first one winning.
      joinDuplicateHeaders: true,
    },
    handle,
  );
  server.maxConnections = MAX_CONNECTIONS;
  // An Expect that node:http does not know would get an empty 417: it is passed over, as RFC 9110 allows.
  server.on('checkExpectation', handle);
  // Where the answer before is still on its way, node:http would write its 100 into the middle of this one.
  server.on('checkContinue', (request, response) => {
    if (response.socket !== null) response.writeContinue();
    handle(request, response);
  });
  return server;
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

/** What node:http hands over; Fastify's own type of it has the packet wrong. */
type ClientError = Pick<NodeJS.ErrnoException, 'code'> & { rawPacket?: unknown };

/** Answers what never became a request: the parser gave up, or the headers came too slowly. */
function answerClientError(
  error: ClientError,
  socket: Socket,
  note: (problem: Problem, requestId: string) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = clientProblem(error);
  const requestId = randomUUID();
  note(problem, requestId);
  const body = JSON.stringify(problem.document(requestId));
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...standardHeaders(requestId),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}

function clientProblem(error: ClientError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      // The parser counts the address among the headers: a first line without an end is a long address.
      const firstLineEnd = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.indexOf('\r\n') : 0;
      if (firstLineEnd === -1 || firstLineEnd > MAX_URL_CHARACTERS) {
        return new Problem('uri_too_long', `The address is longer than ${MAX_URL_CHARACTERS} characters.`);
      }
      return new Problem(
        'headers_too_large',
        `The headers are larger than ${MAX_HEADER_BYTES} bytes in all.`,
      );
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request was not complete in time.');
    default:
      return new Problem('invalid_request', 'The request is not well-formed HTTP.');
  }
}
