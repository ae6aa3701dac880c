import type { Server as HttpServer, IncomingMessage, RequestListener } from 'node:http';
import { endUnfinishedBody } from './client-errors.ts';
import {
  ARRIVAL_TIMEOUT_MS,
  HEADERS_TIMEOUT_MS,
  IDLE_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
} from './transport-limits.ts';

// An import would evaluate every export, an HTTP client that nothing here uses among them: 20 ms of the start.
const { createServer } = process.getBuiltinModule('node:http');

/** Node's default of 30 s would let slow headers have four times their time. */
const TIMEOUTS_CHECKED_MS = 1000;

const SLASH = 47;
/** The scheme and host of a target in absolute form. Source: RFC 9112, 3.2.2. */
const SCHEME_AND_HOST = /^https?:\/\/[^/?]*/i;

/** The server of node:http below a listener: its timeouts, and what it hands on. */
export function createHttpServer(handle: RequestListener, takesBodies: boolean): HttpServer {
  const listener: RequestListener = (request, response) => {
    if (request.url?.charCodeAt(0) !== SLASH) request.url = originForm(request.url);
    if (mayHaveBody(request)) endUnfinishedBody(request, response);
    handle(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Streams take as long as they take; for other bodies, limitRequestTime has the same limit.
      requestTimeout: takesBodies ? 0 : ARRIVAL_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
      // Refused by a route, in the shape of every other error.
      requireHostHeader: false,
      // Two Authorization headers become one that is no key, instead of the first one winning.
      joinDuplicateHeaders: true,
    },
    listener,
  );
  server.timeout = IDLE_TIMEOUT_MS;
  // Who has sent everything may close its side, and is answered all the same. The types of Node do not have it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // An Expect that node:http does not know would get an empty 417: it is passed over, as RFC 9110 allows.
  server.on('checkExpectation', listener);
  // Where the answer before is unfinished, node:http would write its 100 into the middle of an answer. A response
  // gets its socket when its turn comes.
  server.on('checkContinue', (request, response) => {
    const tellToGoOn = () => {
      if (!response.headersSent) response.writeContinue();
    };
    if (response.socket === null) response.once('socket', tellToGoOn);
    else tellToGoOn();
    listener(request, response);
  });
  return server;
}

/**
 * The path and query of a target in absolute form. Any other target gets a slash before it: the router passes over
 * the first character, so that it would find /livez at *livez.
 */
function originForm(target = ''): string {
  const rest = target.replace(SCHEME_AND_HOST, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
