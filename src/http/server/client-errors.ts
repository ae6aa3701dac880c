import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { MAX_URL_CHARACTERS } from '../../../values/interface/limits.ts';
import { Problem } from '../../../values/problem.ts';
import { problemResponse } from '../problems/problem.ts';
import { endGently } from './http-server.ts';
import { requestTooSlow } from './request-time-limit.ts';

// Not imported, because an import would evaluate every export of node:http and delay the start by 20 ms.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Declared here, because Fastify's type for rawPacket is wrong. */
type ClientError = Pick<NodeJS.ErrnoException, 'code'> & { rawPacket?: unknown };

const HAS_FAILED = Symbol('has failed');

/** Answers a request that Fastify never got, because node:http cannot parse it or stopped waiting for it. */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  maxHeaderBytes: number,
  report: (problem: Problem, requestId: string) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = clientProblem(error, maxHeaderBytes);
  const requestId = randomUUID();
  report(problem, requestId);
  const { headers, body } = problemResponse(problem, requestId);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}`;
  endGently(socket, `${head}\r\n${body}`);
}

export function isFirstError(socket: Socket & { [HAS_FAILED]?: true }): boolean {
  if (socket[HAS_FAILED]) return false;
  socket[HAS_FAILED] = true;
  return true;
}

const URL_FAULT =
  'The address has a space, or a character beyond ASCII. Write each of its bytes in UTF-8 as % and two hexadecimal digits, such as %20.';

const MALFORMED: { [code: string]: string } = {
  CONNECT: 'The method CONNECT opens a tunnel, but this service is no proxy.',
  HPE_INVALID_METHOD: 'The method of the request does not exist in HTTP.',
  HPE_INVALID_URL: URL_FAULT,
  // If the URL has a space, the parser expects the HTTP version after the space, and reports this code.
  HPE_INVALID_CONSTANT: URL_FAULT,
};

/** Recognises a long request line only within the last packet, which is all that node:http passes on. */
const LONG_LINE = new RegExp(`^[A-Z]+ [^ \\r\\n]{${MAX_URL_CHARACTERS + 1}}`);

function clientProblem({ code, rawPacket }: ClientError, maxHeaderBytes: number): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      if (Buffer.isBuffer(rawPacket) && LONG_LINE.test(rawPacket.toString('latin1')))
        return new Problem('uri_too_long', `The address is longer than ${MAX_URL_CHARACTERS} characters.`);
      return new Problem(
        'headers_too_large',
        `The headers, with the first line of the request, are larger than ${maxHeaderBytes} bytes in all. Send fewer or smaller headers, such as cookies. The operator of the service can raise HEADERS_MAX_BYTES.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTooSlow();
    default:
      return new Problem('invalid_request', MALFORMED[code ?? ''] ?? 'The request is not well-formed HTTP.');
  }
}
