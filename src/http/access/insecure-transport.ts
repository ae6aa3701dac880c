import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';

/** Whether requests to a path are refused without TLS: those that can have a key, and all of the operator. */
export const needsTls = (listener: CountedListener, path: string): boolean =>
  listener === 'operator' || (listener === 'public' && /^\/(?:v1|mcp)(?:[/?]|$)/.test(path));

/**
 * The problem of a request with a key, or to the operator's listener, that reached a trusted proxy without TLS. Of several values of
 * X-Forwarded-Proto only the last one is from the proxy that sent the request: the caller can have sent the others.
 */
export function insecureTransport(
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
    PROBLEMS.insecure_transport,
    'The request reached the service over http, without TLS. Send it to the https address. Others could read the key that it had: replace that key.',
  );
}
