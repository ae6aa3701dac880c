import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../../../values/problem.ts';
import { Slots } from '../../../values/slots.ts';
import { unavailable } from '../problems/problem.ts';
import type { OnRequestEnd } from './begin-request.ts';
import { hasBody } from './request-bodies.ts';
import { ARRIVAL_TIMEOUT_MS } from './transport-limits.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Call this if a request does not use the database, or its reads and writes have their own limits. */
    liftTimeLimit(): void;
    /** Starts the time limit of a GET or HEAD again, after liftTimeLimit. */
    restartTimeLimit(): void;
    timeLimitSlot: number | null;
  }
}

interface Unanswered {
  reply: FastifyReply;
  checksBefore: number;
  isArriving: boolean;
}

const CHECKS_PER_LIMIT = 8;

/**
 * If the handler responds after the time limit, its response is ignored, but what it recorded stays recorded.
 * One timer checks all requests, because Fastify's handlerTimeout makes a request a tenth more expensive.
 */
export function limitRequestTime(app: FastifyInstance, onEnd: OnRequestEnd, timeoutMs: number): void {
  const checkIntervalMs = Math.ceil(timeoutMs / CHECKS_PER_LIMIT);
  const arrivalChecks = Math.ceil(ARRIVAL_TIMEOUT_MS / checkIntervalMs);
  const unanswered = new Slots<Unanswered>();
  let checks = 0;

  const check = () => {
    checks++;
    for (const one of unanswered) {
      const { reply, checksBefore } = one;
      // If a test injects a request, `complete` is undefined, although the request has arrived.
      if (one.isArriving && (reply.request.raw.complete as boolean | undefined) !== false) {
        one.isArriving = false;
        one.checksBefore = checks - 1;
        continue;
      }
      if (checks - checksBefore <= (one.isArriving ? arrivalChecks : CHECKS_PER_LIMIT)) continue;
      forget(reply);
      // A response that has begun is limited by the timeouts of its connection.
      if (reply.raw.headersSent) continue;
      reply.send(one.isArriving ? requestTooSlow() : unavailable('deadline'));
    }
  };
  const timer = setInterval(check, checkIntervalMs).unref();

  const forget = (reply: FastifyReply) => {
    if (reply.timeLimitSlot === null) return;
    unanswered.remove(reply.timeLimitSlot);
    reply.timeLimitSlot = null;
  };
  app.decorateReply('timeLimitSlot', null);
  app.decorateReply('liftTimeLimit', function liftTimeLimit() {
    forget(this);
  });
  const begin = (reply: FastifyReply, { isArriving }: { isArriving: boolean }) => {
    reply.timeLimitSlot = unanswered.add({ reply, checksBefore: checks, isArriving });
  };
  app.decorateReply('restartTimeLimit', function restartTimeLimit() {
    forget(this);
    begin(this, { isArriving: false });
  });
  app.addHook('onRequest', ({ raw }, reply, done) => {
    begin(reply, { isArriving: hasBody(raw) });
    done();
  });
  onEnd(({ reply }) => forget(reply));
  app.addHook('onClose', async () => clearInterval(timer));
}

export function requestTooSlow(): Problem {
  return new Problem('request_timeout', 'The request was not complete in time.', {
    headers: { connection: 'close' },
  });
}
