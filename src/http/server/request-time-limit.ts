import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem, unavailable } from '../problems/problem.ts';
import { ARRIVAL_TIMEOUT_MS } from './transport-limits.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Takes the time limit off a request that bounds each of its steps by itself, or waits for no database. */
    liftTimeLimit(): void;
  }
}

/** How many looks at the unanswered requests fall into the time of one. */
const LOOKS = 8;

/**
 * Answers each request that takes longer than its time with 503, at most an eighth of the time late. The time counts
 * from the head of a request, or from the end of its body where it has one that is read; a body that does not end is
 * answered with 408. What a handler answers later is passed over: its work may be done all the same.
 *
 * One timer looks at all of them. Fastify's handlerTimeout makes an AbortController and a timer for each, which
 * costs a tenth of a whole request.
 */
export function limitRequestTime(app: FastifyInstance, timeoutMs: number): void {
  const lookMs = Math.ceil(timeoutMs / LOOKS);
  const arrivalLooks = Math.ceil(ARRIVAL_TIMEOUT_MS / lookMs);
  /** After which look each unanswered request began, the oldest first. */
  const waiting = new Map<FastifyReply, number>();
  /** The same of those whose bodies have not come whole. */
  const arriving = new Map<FastifyReply, number>();
  let looks = 0;

  const look = () => {
    looks++;
    for (const [reply, beganAfter] of arriving) {
      // A request that is injected has no such flag: its body is there from the start.
      if ((reply.request.raw.complete as boolean | undefined) !== false) {
        arriving.delete(reply);
        waiting.set(reply, looks - 1);
      } else if (looks - beganAfter > arrivalLooks) {
        arriving.delete(reply);
        if (!reply.raw.headersSent) reply.send(bodyTooSlow());
      }
    }
    for (const [reply, beganAfter] of waiting) {
      if (looks - beganAfter <= LOOKS) return;
      waiting.delete(reply);
      // An answer that has begun ends with its connection, which is closed where nothing of it is read.
      if (!reply.raw.headersSent) reply.send(unavailable('The request was not answered in time.'));
    }
  };
  const timer = setInterval(look, lookMs).unref();

  const forget = (reply: FastifyReply) => {
    if (!waiting.delete(reply)) arriving.delete(reply);
  };
  app.decorateReply('liftTimeLimit', function liftTimeLimit() {
    forget(this);
  });
  app.addHook('onRequest', ({ method }, reply, done) => {
    // Nobody waits for the body of a request that reads.
    if (method === 'GET' || method === 'HEAD') waiting.set(reply, looks);
    else arriving.set(reply, looks);
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
