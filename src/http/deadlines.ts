import type { FastifyInstance, FastifyReply } from 'fastify';
import { StoreUnavailable } from '../core/store.ts';

/** How many looks at the waiting requests fall into the time of one. */
const LOOKS = 8;

/**
 * Answers the requests that take too long with an error, at most an eighth of their time late; what their
 * handlers answer later is passed over.
 *
 * One timer looks at all of them. Fastify's handlerTimeout makes an AbortController and a timer for each, which
 * costs a tenth of a whole request.
 */
export function limitTime(app: FastifyInstance, timeoutMs: number): void {
  /** After which look each unanswered request began, the oldest first. */
  const waiting = new Map<FastifyReply, number>();
  let looks = 0;

  const look = () => {
    looks++;
    for (const [reply, beganAfter] of waiting) {
      if (looks - beganAfter <= LOOKS) return;
      waiting.delete(reply);
      if (!reply.sent) reply.send(new StoreUnavailable('the request was not answered in time'));
    }
  };
  const timer = setInterval(look, Math.ceil(timeoutMs / LOOKS)).unref();

  app.addHook('onRequest', (_request, reply, done) => {
    waiting.set(reply, looks);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/**
 * An answer of the store, for work that outlives requests: without an end of its own, one lost answer would
 * hold up all that wait in line behind it.
 *
 * Throws: StoreUnavailable where it does not come in time; what comes later is passed over.
 */
export async function withinTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new StoreUnavailable('the database did not answer in time')),
    timeoutMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
