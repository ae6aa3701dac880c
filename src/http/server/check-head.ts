import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { insecureTransport } from '../access/insecure-transport.ts';
import { Problem, payloadTooLarge } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';
import { hasBody } from './request-bodies.ts';
import { MAX_BODY_BYTES, MAX_URL_CHARACTERS } from './transport-limits.ts';

interface HeadRules {
  listener: CountedListener;
  takesBodiesOfAnyLength: boolean;
  isTrustedProxy: (address: string) => boolean;
}

/**
 * Refuses a request without exactly one Host header, with a URL that is too long, with a large body where no body is a
 * stream, or without TLS.
 */
export function checkHeads(app: FastifyInstance, rules: HeadRules): void {
  app.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    const { raw } = request;
    const problem =
      problemOfHead(raw, rules.takesBodiesOfAnyLength) ??
      insecureTransport(request, rules.listener, rules.isTrustedProxy);
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
    return payloadTooLarge(MAX_BODY_BYTES, { headers: { connection: 'close' } });
  }
  return undefined;
}
