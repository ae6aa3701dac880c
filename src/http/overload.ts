import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { ConcurrencyLimit } from '../core/concurrency-limit.ts';
import { ConnectionRests } from './connection-rests.ts';
import type { Metrics } from './metrics.ts';
import { Problem } from './problem.ts';
import { Turns } from './turns.ts';

/** More are in hand at once only where a database hangs; each takes about 10 KB. */
const MOST_IN_HAND = 10_000;

const RETRY_AFTER_SECONDS = 1;
const TOLD_EVERY_MS = 1000;

/** What is answered while everything else is refused: looking after the service itself. */
const GUARDED = '/v1/';

export interface OverloadOptions {
  /** How long a request may take in all. */
  timeoutMs: number;
  monotonicMs: () => number;
  standardHeaders: (requestId: string) => Record<string, string>;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Refuses requests that could not be answered in time, before anything is done for them: 503 with Retry-After.
 * Two lines may stand: before the thread, which shows in the length of the event loop's turns, and before the
 * store, which shows in how long answers take.
 */
export function refuseOverload(handle: RequestListener, options: OverloadOptions): RequestListener {
  const { monotonicMs } = options;
  const turns = new Turns(monotonicMs, setImmediate);
  const limit = new ConcurrencyLimit({ targetMs: options.timeoutMs / 10, most: MOST_IN_HAND });
  const rests = new ConnectionRests();
  const refuse = refuser(options);

  return (request, response) => {
    const nowMs = monotonicMs();
    if (request.url?.startsWith(GUARDED) !== true) return handle(request, response);
    const { socket } = request;
    if (!turns.takesOneMore(nowMs)) {
      response.once('close', () => rests.rest(socket));
      return refuse(request, response);
    }
    if (!limit.begin()) return refuse(request, response);
    // It closes once: a listener that takes itself off again costs more than the rest of this.
    response.on('close', () => {
      const { statusCode: status } = response;
      // A 404 may come without the store: anybody's would pass for answers of a store that is quick.
      limit.end(nowMs, monotonicMs(), status === 200);
      rests.note(socket, status);
    });
    handle(request, response);
  };
}

/** Answers with as little work as there can be: no route, no key, one line of the log for all of a second. */
function refuser({ monotonicMs, standardHeaders, logger, metrics }: OverloadOptions): RequestListener {
  const problem = new Problem(
    'unavailable',
    `The service has more requests in hand than it can answer in time. Try again in ${RETRY_AFTER_SECONDS} s.`,
  );
  let refused = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  return (request, response) => {
    refused++;
    const nowMs = monotonicMs();
    if (nowMs - toldAtMs >= TOLD_EVERY_MS) {
      toldAtMs = nowMs;
      logger.warn({ refused }, 'overloaded: requests are refused');
      refused = 0;
    }
    metrics.countRefused();
    metrics.countProblem('public', problem);
    const requestId = randomUUID();
    const body = JSON.stringify(problem.document(requestId));
    response
      .writeHead(problem.status, {
        ...standardHeaders(requestId),
        'content-type': 'application/problem+json',
        'content-length': Buffer.byteLength(body),
        'retry-after': String(RETRY_AFTER_SECONDS),
      })
      .end(request.method === 'HEAD' ? undefined : body);
  };
}
