import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { Problem } from '../problems/problem.ts';
import { standardHeaders } from '../server/transport-limits.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { ConnectionPauses } from './connection-pauses.ts';
import { EventLoopLimit } from './event-loop-limit.ts';

/** More are in flight at once only where a database hangs; each takes about 10 KB. */
const MOST_IN_FLIGHT = 10_000;

const RETRY_AFTER_SECONDS = 1;
const TOLD_EVERY_MS = 1000;

/** The targets that are answered while everything else is refused. Spelt in any other way, they are refused too. */
const NEVER_REFUSED: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', '/healthz']);

/** Below it, the store is queried. */
const STORE_PATH = '/v1/';

export interface OverloadOptions {
  /** How long a request may take in all. */
  timeoutMs: number;
  monotonicMs: () => number;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Sheds load: refuses requests that could not be answered in time with 503 and Retry-After, before anything is done
 * for them. Requests queue before the thread, which shows in the length of the event loop's turns, and before the
 * store, which shows in how long answers take.
 */
export function shedLoad(handle: RequestListener, options: OverloadOptions): RequestListener {
  const { monotonicMs } = options;
  const eventLoop = new EventLoopLimit(monotonicMs, setImmediate);
  const limit = new ConcurrencyLimit({ targetMs: options.timeoutMs / 10, most: MOST_IN_FLIGHT });
  const rests = new ConnectionPauses();
  const callers = new Callers();
  const refuse = refuser(options);

  return (request, response) => {
    const { socket, url = '' } = request;
    if (NEVER_REFUSED.has(url)) return handle(request, response);
    const nowMs = monotonicMs();
    if (!eventLoop.admits(nowMs)) {
      response.once('close', () => rests.rest(socket));
      return refuse(request, response);
    }
    // Files that somebody reads slowly would pass for a store that is slow.
    if (!queriesStore(url)) return handle(request, response);
    const { authorization } = request.headers;
    if (!limit.begin(callers.hasNone(authorization))) return refuse(request, response);
    callers.begin(authorization);
    let isAnswered = false;
    const end = () => {
      if (isAnswered) return;
      isAnswered = true;
      callers.end(authorization);
      // A 404 may come without the store: anybody's would pass for answers of a store that is quick.
      limit.end(nowMs, monotonicMs(), response.statusCode === 200);
    };
    // Before the answer is sent, because a caller that does not read it would keep the place of another.
    response.on('prefinish', end);
    // It closes once: a listener that takes itself off again costs more than the rest of this.
    response.on('close', () => {
      end();
      rests.note(socket, response.statusCode);
    });
    handle(request, response);
  };
}

/** How many requests each caller has in flight. It is known by what it sends as its key, which nobody has looked at yet. */
class Callers {
  readonly #inFlight = new Map<string, number>();

  hasNone(authorization: string | undefined): boolean {
    return authorization !== undefined && !this.#inFlight.has(authorization);
  }

  begin(authorization: string | undefined): void {
    if (authorization === undefined) return;
    this.#inFlight.set(authorization, (this.#inFlight.get(authorization) ?? 0) + 1);
  }

  end(authorization: string | undefined): void {
    if (authorization === undefined) return;
    const left = (this.#inFlight.get(authorization) as number) - 1;
    if (left > 0) this.#inFlight.set(authorization, left);
    else this.#inFlight.delete(authorization);
  }
}

/** Whether the router finds an operation on the store: it ends a path at the first ? or #, and decodes it before it compares. */
function queriesStore(url: string): boolean {
  if (url.startsWith(STORE_PATH)) return true;
  const [path = ''] = url.split(/[?#]/, 1);
  return path.includes('%') && decoded(path).startsWith(STORE_PATH);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The router refuses it.
    return path;
  }
}

/** Answers with as little work as there can be: no route, no key, one line of the log for all of a second. */
function refuser({ monotonicMs, logger, metrics }: OverloadOptions): RequestListener {
  const problem = new Problem(
    'unavailable',
    `The service has more requests in flight than it can answer in time. Try again in ${RETRY_AFTER_SECONDS} s.`,
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
    metrics.countShedRequest();
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
