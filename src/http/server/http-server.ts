import type { Server as HttpServer, RequestListener } from 'node:http';
import { endUnfinishedBody } from './client-errors.ts';
import { hasBody } from './request-bodies.ts';
import { ARRIVAL_TIMEOUT_MS, HEADERS_TIMEOUT_MS, IDLE_TIMEOUT_MS } from './transport-limits.ts';

// An import would evaluate every export, also an HTTP client that is not used here, and delay the start by 20 ms.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * How often the time limits of connections are checked. Node's default of 30 s would let slow headers take four times their
 * limit.
 */
const TIMEOUTS_CHECKED_MS = 1000;

const SLASH = 47;
/** Scheme and host of a request target in absolute form. Source: RFC 9112, 3.2.2. */
const SCHEME_AND_HOST = /^https?:\/\/[^/?]*/i;

interface HttpServerOptions {
  takesBodiesOfAnyLength: boolean;
  maxHeaderBytes: number;
  /** How long a connection between two requests is kept open. */
  keepAliveSeconds: number;
}

/** A server of node:http with the timeouts of this service. It passes every request to `handle`, with a path as its URL. */
export function createHttpServer(
  handle: RequestListener,
  { takesBodiesOfAnyLength, maxHeaderBytes, keepAliveSeconds }: HttpServerOptions,
): HttpServer {
  const listener: RequestListener = (request, response) => {
    if (request.url?.charCodeAt(0) !== SLASH) request.url = originForm(request.url);
    if (hasBody(request)) endUnfinishedBody(request, response);
    handle(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // The limit does not apply to streams. limitRequestTime applies it to other bodies.
      requestTimeout: takesBodiesOfAnyLength ? 0 : ARRIVAL_TIMEOUT_MS,
      keepAliveTimeout: keepAliveSeconds * 1000,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
      // checkHeads refuses a missing Host header with a problem document.
      requireHostHeader: false,
      // Two Authorization headers become one invalid key; by default, the first one would be used.
      joinDuplicateHeaders: true,
    },
    listener,
  );
  server.timeout = IDLE_TIMEOUT_MS;
  // A caller that has closed its side after the request still gets the response. Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  // An unknown Expect header is ignored, as RFC 9110 allows. By default, node:http answers it with an empty 417.
  server.on('checkExpectation', listener);
  // node:http gives a response its socket when the responses before it are finished. Written earlier, 100 Continue
  // would be in the middle of one of them.
  server.on('checkContinue', (request, response) => {
    const writeContinue = () => {
      if (!response.headersSent) response.writeContinue();
    };
    if (response.socket === null) response.once('socket', writeContinue);
    else writeContinue();
    listener(request, response);
  });
  return server;
}

/**
 * The path and query of a request target in absolute form. Any other target gets a leading slash, because the router
 * skips the first character and would find /livez at *livez.
 */
function originForm(target = ''): string {
  const rest = target.replace(SCHEME_AND_HOST, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
