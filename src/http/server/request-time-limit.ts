import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem, unavailable } from '../problems/problem.ts';
import { ARRIVAL_TIMEOUT_MS } from './transport-limits.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Removes the time limit of a request that limits each of its steps, or that does not use the database. */
    liftTimeLimit(): void;
  }
}

/** How often unanswered requests are checked within the time limit. */
const CHECKS_PER_LIMIT = 8;

/**
 * Answers each request that takes longer than the time limit with 503, at most an eighth of the limit late. The time
 * counts from the head of a GET or HEAD, and from the end of the body of any other request. A body that does not end
 * is answered with 408. A later response of the handler is ignored, but what it has recorded stays recorded.
 *
 * One timer checks all requests. Fastify's handlerTimeout makes an AbortController and a timer for each request,
 * which costs a tenth of the whole request.
 */
export function limitRequestTime(app: FastifyInstance, timeoutMs: number): void {
  const checkIntervalMs = Math.ceil(timeoutMs / CHECKS_PER_LIMIT);
  const arrivalChecks = Math.ceil(ARRIVAL_TIMEOUT_MS / checkIntervalMs);
  /** Unanswered requests, oldest first, with the number of checks before their time began. */
  const waiting = new Map<FastifyReply, number>();
  /** The same for requests whose bodies are incomplete. */
  const arriving = new Map<FastifyReply, number>();
  let checks = 0;

  const check = () => {
    checks++;
    for (const [reply, beganAfter] of arriving) {
      // An injected request has its body from the start, and no such flag.
      if ((reply.request.raw.complete as boolean | undefined) !== false) {
        arriving.delete(reply);
        waiting.set(reply, checks - 1);
      } else if (checks - beganAfter > arrivalChecks) {
        arriving.delete(reply);
        if (!reply.raw.headersSent) reply.send(bodyTooSlow());
      }
    }
    for (const [reply, beganAfter] of waiting) {
      if (checks - beganAfter <= CHECKS_PER_LIMIT) return;
      waiting.delete(reply);
      // A response that has begun is limited by the timeouts of its connection.
      if (!reply.raw.headersSent) reply.send(unavailable('The request was not answered in time.'));
    }
  };
  const timer = setInterval(check, checkIntervalMs).unref();

  const forget = (reply: FastifyReply) => {
    if (!waiting.delete(reply)) arriving.delete(reply);
  };
  app.decorateReply('liftTimeLimit', function liftTimeLimit() {
    forget(this);
  });
  app.addHook('onRequest', ({ method }, reply, done) => {
    // The body of such a request is not read.
    if (method === 'GET' || method === 'HEAD') waiting.set(reply, checks);
    else arriving.set(reply, checks);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    forget(reply);
    done();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

function bodyTooSlow(): Problem {
  return new Problem('request_timeout', 'The request was not complete in time.', {
    headers: { connection: 'close' },
  });
}
