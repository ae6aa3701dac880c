import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loggable } from '../telemetry/loggable.ts';
import { standardHeaders } from './standard-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    startedAtMs: number;
  }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The request id that the caller sent, if it is safe to log, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['request-id'] ?? request.headers['x-request-id'];
  const isSafe = typeof sent === 'string' && REQUEST_ID.test(sent) && loggable(sent) === sent;
  return isSafe ? sent : randomUUID();
}

/** Notes when each request began, and sets the headers that every response has. */
export function beginRequests(app: FastifyInstance, monotonicMs: () => number): void {
  app.decorateRequest('startedAtMs', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = monotonicMs();
    reply.headers(standardHeaders(request.id));
    done();
  });
}

/** How long a request has taken, in milliseconds with three decimals. */
export function durationMsOf({ startedAtMs }: FastifyRequest, nowMs: number): number {
  return Math.round((nowMs - startedAtMs) * 1000) / 1000;
}
