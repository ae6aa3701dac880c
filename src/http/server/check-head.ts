import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem, payloadTooLarge } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { hasBody } from './request-bodies.ts';
import { MAX_BODY_BYTES, MAX_URL_CHARACTERS } from './transport-limits.ts';

/**
 * Refuses a request without exactly one Host header, with a URL that is too long, or with a large body where no body is a
 * stream.
 */
export function checkHeads(app: FastifyInstance, takesBodiesOfAnyLength: boolean): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const problem = problemOfHead(raw, takesBodiesOfAnyLength);
    // node:http first parses the bytes of the body that it has received, so a framing error takes precedence.
    if (hasBody(raw)) queueMicrotask(() => done(problem));
    else done(problem);
  });
}

function problemOfHead(
  { headers, httpVersion, url = '' }: IncomingMessage,
  takesBodiesOfAnyLength: boolean,
): Problem | undefined {
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') {
    return new Problem(PROBLEMS.invalid_request, 'The request has no Host header, which HTTP/1.1 requires.');
  }
  // node:http joins headers of the same name with a comma, which no host contains.
  if (host?.includes(', ')) {
    return new Problem(PROBLEMS.invalid_request, 'The request has more than one Host header. Send one.');
  }
  if (url.length > MAX_URL_CHARACTERS) {
    return new Problem(
      PROBLEMS.uri_too_long,
      `The address has ${url.length} characters; at most ${MAX_URL_CHARACTERS} are read.`,
    );
  }
  if (!takesBodiesOfAnyLength && Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return payloadTooLarge({ headers: { connection: 'close' } });
  }
  return undefined;
}
