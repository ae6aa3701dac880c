import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pauseReading, resumeReading } from './pause-reading.ts';
import { hasBody } from './request-bodies.ts';
import { ARRIVAL_TIMEOUT_MS, HEADERS_TIMEOUT_MS, IDLE_TIMEOUT_MS } from './transport-limits.ts';

// Not imported, because an import would evaluate every export of node:http and delay the start by 20 ms.
const { createServer } = process.getBuiltinModule('node:http');

/** By default, Node checks every 30 s, so headers with a limit of 10 s could take 40 s. */
const TIMEOUTS_CHECKED_MS = 1000;

/** How long a connection is still read after its last response. */
const LINGER_MS = 1000;

const SLASH = 47;
/** The first part of a request target in absolute form. Source: RFC 9112, 3.2.2. */
const SCHEME_AND_HOST = /^https?:\/\/[^/?]*/i;

interface HttpServerOptions {
  takesBodiesOfAnyLength: boolean;
  maxHeaderBytes: number;
  keepAliveSeconds: number;
}

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
      // A stream may take as long as it needs. limitRequestTime limits the arrival of other bodies.
      requestTimeout: takesBodiesOfAnyLength ? 0 : ARRIVAL_TIMEOUT_MS,
      keepAliveTimeout: keepAliveSeconds * 1000,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
      // checkHeads refuses a missing Host header with a problem document.
      requireHostHeader: false,
      // Two Authorization headers become one invalid key. By default, node:http would use the first header.
      joinDuplicateHeaders: true,
    },
    listener,
  );
  server.timeout = IDLE_TIMEOUT_MS;
  // A caller that has closed its side still gets the response. Node's types omit `httpAllowHalfOpen`.
  Object.assign(server, { httpAllowHalfOpen: true });
  // An unknown Expect header is ignored, as RFC 9110 allows. node:http would answer an empty 417.
  server.on('checkExpectation', listener);
  // `response.socket` is null until the connection's previous response is written.
  server.on('checkContinue', (request, response) => {
    const writeContinue = () => {
      if (!response.headersSent) response.writeContinue();
    };
    if (response.socket === null) response.once('socket', writeContinue);
    else writeContinue();
    listener(request, response);
  });
  // If nothing handled `connect`, node:http would close the connection without a response.
  server.on('connect', ({ socket }: IncomingMessage) => {
    // From here on, node:http neither reads the connection nor handles its errors.
    socket.on('error', () => socket.destroy()).resume();
    server.emit('clientError', { code: 'CONNECT' }, socket);
  });
  return server;
}

/** Adds a missing slash. Otherwise, the router would skip the first character and read *livez as /livez. */
function originForm(target = ''): string {
  const rest = target.replace(SCHEME_AND_HOST, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Waits briefly for the rest of the body. node:http would destroy the connection at once. */
function endUnfinishedBody(request: IncomingMessage, response: ServerResponse): void {
  // Read now, because a destroyed request has no socket.
  const { socket } = request;
  // Runs before node:http's own listener for `finish`, because that listener calls `destroySoon`.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    socket.destroySoon = () => endGently(socket);
    setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, LINGER_MS).unref();
  });
}

/** If a connection is closed with unread bytes, it is reset, and the caller can lose the response. */
export function endGently(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Counted over all connections. One read of a socket can bring 2,500 requests. Each takes about 5 KB. */
const MAX_WAITING = 10_000;

/** Names of properties of a socket. A WeakMap would make every garbage collection slower. */
const CURRENT = Symbol('current response');
const WAITING = Symbol('waiting responses');

type Connection = Socket & { [CURRENT]?: ServerResponse; [WAITING]?: ServerResponse[] };

/** True if no request of the connection awaits its response, and the connection is not being closed. */
export const isUnused = (socket: Connection): boolean =>
  socket.writable && socket[WAITING] === undefined && (socket[CURRENT]?.writableFinished ?? true);

/**
 * A caller can send many requests without reading the responses. So that these responses do not fill the
 * memory, the next request of a connection is handled only after the previous response was sent.
 */
export class Pipelines {
  readonly #handle: RequestListener;
  readonly #stopping: AbortSignal;
  readonly #onDestroyed: (address: string | undefined) => void;
  readonly #connections = new Set<Connection>();
  #waiting = 0;

  constructor(
    handle: RequestListener,
    stopping: AbortSignal,
    onDestroyed: (address: string | undefined) => void,
  ) {
    this.#handle = handle;
    this.#stopping = stopping;
    this.#onDestroyed = onDestroyed;
  }

  readonly handle: RequestListener = (request, response) => {
    const socket: Connection = request.socket;
    // No request is handled after a response that closes the connection. Source: RFC 9112, 9.6.
    if (!socket.writable) return;
    if (isUnused(socket)) this.#begin(socket, response);
    else this.#enqueue(socket, response);
  };

  #begin(socket: Connection, response: ServerResponse): void {
    socket[CURRENT] = response;
    if (this.#stopping.aborted) response.setHeader('connection', 'close');
    this.#handle(response.req, response);
  }

  #enqueue(socket: Connection, response: ServerResponse): void {
    let waiting = socket[WAITING];
    if (waiting === undefined) {
      waiting = [];
      socket[WAITING] = waiting;
      this.#connections.add(socket);
      // Pauses on the next tick, because node:http resumes reading when it has parsed this request.
      process.nextTick(pauseReading, socket);
      socket[CURRENT]?.once('close', () => this.#next(socket));
    }
    waiting.push(response);
    this.#waiting++;
    if (this.#waiting > MAX_WAITING) this.#destroyLongest();
  }

  #next(socket: Connection): void {
    const waiting = socket[WAITING];
    const response = socket.writable ? waiting?.shift() : undefined;
    if (waiting === undefined || response === undefined) {
      this.#clear(socket);
      return;
    }
    this.#waiting--;
    if (waiting.length === 0) this.#clear(socket);
    else {
      response.once('close', () => this.#next(socket));
      // node:http resumes reading when the previous response drains, so the reading is paused again.
      socket.pause();
    }
    this.#begin(socket, response);
  }

  #clear(socket: Connection): void {
    if (socket[WAITING] === undefined) return;
    this.#waiting -= socket[WAITING].length;
    delete socket[WAITING];
    this.#connections.delete(socket);
    resumeReading(socket);
  }

  #destroyLongest(): void {
    const lengthOf = (socket: Connection) => socket[WAITING]?.length ?? 0;
    let longest: Connection | undefined;
    for (const socket of this.#connections) {
      if (longest === undefined || lengthOf(socket) > lengthOf(longest)) longest = socket;
    }
    if (longest === undefined) return;
    const { remoteAddress } = longest;
    this.#clear(longest);
    longest.destroy();
    this.#onDestroyed(remoteAddress);
  }

  /**
   * Call this after an error in the bytes of a request. When all earlier requests are answered, `callback` is
   * called to answer the error. If the response to the faulty request is being sent, destroys the connection.
   */
  whenAnswered(socket: Connection, callback: () => void): void {
    const waiting = socket[WAITING];
    const current = socket[CURRENT];
    let last = waiting?.at(-1) ?? current;
    if (last?.req.complete === false) {
      if (last === current) {
        if (!current.headersSent) callback();
        else if (!current.writableFinished) socket.destroy();
        return;
      }
      waiting?.pop();
      this.#waiting--;
      last = waiting?.at(-1) ?? current;
    }
    if (last === undefined || last.writableFinished) callback();
    else last.once('close', callback);
  }
}
