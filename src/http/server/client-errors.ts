import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problems/problem.ts';
import { MAX_HEADER_BYTES, MAX_URL_CHARACTERS, standardHeaders } from './transport-limits.ts';

// An import would evaluate every export, an HTTP client that nothing here uses among them: 20 ms of the start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** What node:http hands over; Fastify's own type of it has the packet wrong. */
export type ClientError = Pick<NodeJS.ErrnoException, 'code'> & { rawPacket?: unknown };

/**
 * How long a connection stays open behind its last answer. Closed at once with bytes unread, it would be reset, and
 * the caller could lose the answer; without an end, callers that never close would hold it for ever.
 */
const LINGER_MS = 1000;

const ENDING = Symbol('ending');

/** Answers what never became a request: the parser gave up, or the headers came too slowly. Then closes the connection. */
export function answerClientError(
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
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Whether an error is the first one of its connection. It gets the last answer, and what still comes is passed over. */
export function isFirstError(socket: Socket & { [ENDING]?: true }): boolean {
  if (socket[ENDING]) return false;
  socket[ENDING] = true;
  return true;
}

/**
 * Closes the connection of a request that was answered before its body was complete, unless the rest comes soon:
 * nobody reads it, and it could take for ever.
 */
export function endUnfinishedBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('close', () => {
    if (request.complete || request.socket.destroyed) return;
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, LINGER_MS).unref();
  });
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
