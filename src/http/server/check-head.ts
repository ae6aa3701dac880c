import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES, MAX_URL_CHARACTERS } from '../../../values/interface/limits.ts';
import { Problem } from '../../../values/problem.ts';
import { payloadTooLarge, sendProblem } from '../problems/problem.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';
import { problemsOfPaths } from './not-found.ts';
import { hasBody } from './request-bodies.ts';

interface HeadRules {
  listener: CountedListener;
  takesBodiesOfAnyLength: boolean;
  isTrustedProxy: (address: string) => boolean;
}

/**
 * Refuses a request without exactly one Host header, with a URL that is too long, with a large body where no
 * body is a stream, or without TLS.
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
    return new Problem('invalid_request', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  // node:http joins headers of the same name with a comma, which no host contains.
  if (host?.includes(', ')) {
    return new Problem('invalid_request', 'The request has more than one Host header. Send one.');
  }
  if (url.length > MAX_URL_CHARACTERS) {
    return new Problem(
      'uri_too_long',
      `The address has ${url.length} characters; at most ${MAX_URL_CHARACTERS} are read.`,
    );
  }
  if (!takesBodiesOfAnyLength && Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return payloadTooLarge(MAX_BODY_BYTES, { headers: { connection: 'close' } });
  }
  return undefined;
}

/** True if requests to a path are refused without TLS: those that can have a key, and all of the operator. */
export const needsTls = (listener: CountedListener, path: string): boolean =>
  listener === 'operator' || (listener === 'public' && /^\/(?:v1|mcp)(?:[/?]|$)/.test(path));

/**
 * The problem of a request with a key, or to the operator's listener, that reached a trusted proxy without
 * TLS. Of several values of X-Forwarded-Proto only the last one is from the proxy that sent the request: the
 * caller can have sent the others.
 */
function insecureTransport(
  request: FastifyRequest,
  listener: CountedListener,
  isTrustedProxy: (address: string) => boolean,
): Problem | undefined {
  const { headers, socket } = request.raw;
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded === undefined || !isTrustedProxy(socket.remoteAddress ?? '')) return undefined;
  // node:http joins headers of one name.
  if (!/(?:^|,)\s*http\s*$/i.test(String(forwarded))) return undefined;
  // The route, because the router decodes the path. A path without a route can be under /v1 too.
  if (!needsTls(listener, request.routeOptions.url ?? request.url)) return undefined;
  return new Problem(
    'insecure_transport',
    'The request reached the service over http, without TLS. Send it to the https address. Others could read the key that it had: replace that key.',
  );
}

/** Answers a path without a route before Fastify looks at the body's type: it refuses some itself. */
export function answerNotFound(app: FastifyInstance, listener: CountedListener): void {
  const problemOf = problemsOfPaths(app, listener);
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    sendProblem(reply, problemOf(request));
  });
}
