import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundTurns } from '../../../values/background-turns.ts';
import { SECRET_PREFIXES } from '../../../values/caller.ts';
import { MAX_BODY_BYTES, MAX_PARAMETERS, MAX_URL_CHARACTERS } from '../../../values/interface/limits.ts';
import { Problem } from '../../../values/problem.ts';
import type { PathParameters } from '../operations/parameters.ts';
import { payloadTooLarge } from '../problems/problem.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';
import { hasBody } from './request-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The time spent waiting for a change, an export's reader or a webhook's receiver. */
    waitedMs: number;
  }
}

export interface EndedRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** False if the caller closed the connection before it received the whole response. */
  isAnswered: boolean;
  route: string | undefined;
  pathParameters: PathParameters | undefined;
  durationMs: number;
}

export type OnRequestEnd = (callback: (ended: EndedRequest) => void) => void;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['request-id'] ?? request.headers['x-request-id'];
  const isSafe = typeof sent === 'string' && REQUEST_ID.test(sent) && loggable(sent) === sent;
  return isSafe ? sent : randomUUID();
}

/** Replaces Fastify's onResponse hooks, which cost more and do not run if the caller leaves. */
export function beginRequests(
  app: FastifyInstance,
  monotonicMs: () => number,
  turns: Pick<BackgroundTurns, 'noteRequest'> | undefined,
): OnRequestEnd {
  const callbacks: ((ended: EndedRequest) => void)[] = [];
  app.decorateRequest('waitedMs', 0);
  app.addHook('onRequest', (request, reply, done) => {
    turns?.noteRequest();
    const startedAtMs = monotonicMs();
    let hasEnded = false;
    const end = (isAnswered: boolean) => {
      if (hasEnded) return;
      hasEnded = true;
      const durationMs = Math.round((monotonicMs() - startedAtMs) * 1000) / 1000;
      // Fastify builds routeOptions at each access, so it is read once.
      const { url: route, config } = request.routeOptions;
      const ended = { request, reply, isAnswered, route, pathParameters: config.pathParameters, durationMs };
      for (const callback of callbacks) callback(ended);
    };
    reply.raw.on('finish', () => end(true));
    reply.raw.on('close', () => end(false));
    reply.headers(standardHeaders(request.id));
    done();
  });
  return (callback) => callbacks.push(callback);
}

export function standardHeaders(requestId: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'request-id': requestId, 'x-content-type-options': 'nosniff' };
}

/** How many parameters of a query were not read. Absent if all were read. */
export const UNREAD = Symbol('unread parameters');

/** The decoded values by name. A repeated parameter has an array of values. */
export type QueryParameters = Readonly<Record<string, string | string[] | undefined>> & { [UNREAD]?: number };

const AMPERSAND = '&'.charCodeAt(0);

/**
 * Parameters beyond MAX_PARAMETERS are only counted, because reading all could take long. Bytes that are not
 * UTF-8 become U+FFFD, which no filter accepts. Fastify's parser would leave such bytes encoded.
 */
export function parseQuery(text: string): QueryParameters {
  const { end, unread } = measure(text);
  const query: QueryParameters = parse(end === text.length ? text : text.slice(0, end), '&', '=', {
    maxKeys: 0,
  });
  if (unread > 0) query[UNREAD] = unread;
  return query;
}

/** Only the text before `end` is read. Empty texts between separators do not count as parameters. */
function measure(text: string): { end: number; unread: number } {
  let parameters = 0;
  let end = text.length;
  for (let at = 0; at < text.length; at++) {
    const begins = text.charCodeAt(at) !== AMPERSAND && (at === 0 || text.charCodeAt(at - 1) === AMPERSAND);
    if (begins && ++parameters === MAX_PARAMETERS + 1) end = at;
  }
  return { end, unread: Math.max(0, parameters - MAX_PARAMETERS) };
}

/** Returns undefined if a caller sent an API key or a session's code as the identifier by mistake. */
export function loggable(identifier: string | undefined): string | undefined {
  const isSecret = SECRET_PREFIXES.some((prefix) => identifier?.includes(prefix));
  return isSecret ? undefined : identifier;
}

interface HeadRules {
  listener: CountedListener;
  takesBodiesOfAnyLength: boolean;
  isTrustedProxy: (address: string) => boolean;
}

export function checkHeads(app: FastifyInstance, rules: HeadRules): void {
  app.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    const { raw } = request;
    const problem =
      problemOfHead(raw, rules.takesBodiesOfAnyLength) ??
      insecureTransport(request, rules.listener, rules.isTrustedProxy);
    // Lets node:http parse the received bytes of the body first. If the bytes are malformed, the response
    // reports the malformed bytes, not `problem`.
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
  // If a request has several Host headers, node:http joins them with a comma. No host contains a comma.
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

/** True for paths to which a key can be sent, and for every path of the operator's listener. */
export const needsTls = (listener: CountedListener, path: string): boolean =>
  listener === 'operator' || (listener === 'public' && /^\/(?:v1|mcp)(?:[/?]|$)/.test(path));

function insecureTransport(
  request: FastifyRequest,
  listener: CountedListener,
  isTrustedProxy: (address: string) => boolean,
): Problem | undefined {
  const { headers, socket } = request.raw;
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded === undefined || !isTrustedProxy(socket.remoteAddress ?? '')) return undefined;
  // node:http joins headers of the same name. Only the last value comes from the trusted proxy.
  if (!/(?:^|,)\s*http\s*$/i.test(String(forwarded))) return undefined;
  // A caller can encode `request.url` to hide that a path needs TLS: %76 is v. The URL of the route is plain.
  if (!needsTls(listener, request.routeOptions.url ?? request.url)) return undefined;
  return new Problem(
    'insecure_transport',
    'The request reached the service over http, without TLS. Send it to the https address. If it had a key, others could read the key: replace it.',
  );
}
