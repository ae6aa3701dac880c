import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { problemResponse, unavailable } from '../problems/problem.ts';
import { pauseReading, resumeReading } from '../server/pause-reading.ts';
import type { CountedListener, HttpMetrics } from '../telemetry/http-metrics.ts';
import { LogInterval } from '../telemetry/log-interval.ts';

/** 10,000 requests take about 100 MB. That many are in flight only while the database hangs. */
const MAX_IN_FLIGHT = 10_000;

const LOG_INTERVAL_MS = 1000;

/** Each caller takes memory for its whole Authorization header, which can have HEADERS_MAX_BYTES. */
const KEPT_CALLERS = 1000;

/** These paths are answered under any load, but only in this spelling. */
const NEVER_REFUSED: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz', '/healthz']);

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

const STORE_PATH = /^\/(?:v1\/|mcp(?:[?#]|$))/;

export type Shed = 'everything' | 'reads';

const END = Symbol('ends the request in flight');

type Counted = ServerResponse & { [END]?: (usedStore: boolean) => void };

/** Pass false for `usedStore` if the store was perhaps not used. Otherwise, a slow store could look fast. */
export function endInFlight(response: Counted, { usedStore = true } = {}): void {
  response[END]?.(usedStore);
}

interface LoadSheddingOptions {
  listener: CountedListener;
  sheds: Shed;
  requestTimeoutMs: number;
  monotonicMs: () => number;
  logger: Logger;
  metrics: HttpMetrics;
}

export function shedLoad(handle: RequestListener, options: LoadSheddingOptions): RequestListener {
  const { monotonicMs, requestTimeoutMs, sheds } = options;
  const eventLoop = new EventLoopLimit(monotonicMs, setImmediate);
  const limit = new ConcurrencyLimit({ targetMs: requestTimeoutMs / 10, maxLimit: MAX_IN_FLIGHT });
  const pauses = new ConnectionPauses();
  const callers = new Callers();
  const refuse = refuser(options);

  return (request, response: Counted) => {
    const { socket, method, url = '' } = request;
    if (NEVER_REFUSED.has(url)) return handle(request, response);
    if (sheds === 'reads' && !(READING.has(method) && queriesStore(url))) return handle(request, response);
    const nowMs = monotonicMs();
    if (!eventLoop.admits(nowMs)) {
      response.once('close', () => pauses.pause(socket));
      return refuse(request, response);
    }
    // Requests for files are not counted, because a slow reader of a file would make the store look slow.
    if (!queriesStore(url)) return handle(request, response);
    const { authorization } = request.headers;
    if (!limit.begin(callers.hasNone(authorization))) return refuse(request, response);
    callers.begin(authorization);
    let isEnded = false;
    // Only a 200 can show that the store is fast. Anyone can get other responses without using the store.
    const end = (usedStore = response.statusCode === 200) => {
      if (isEnded) return;
      isEnded = true;
      callers.end(authorization);
      limit.end(nowMs, monotonicMs(), usedStore);
    };
    response[END] = end;
    // 'prefinish' is emitted when the response is written, even if the caller does not read it.
    response.on('prefinish', end);
    // 'close' is emitted only once, and on() costs less than once().
    response.on('close', () => {
      end();
      pauses.countResponse(socket, response.statusCode);
    });
    handle(request, response);
  };
}

/** Identifies a caller by its Authorization header, which is not verified yet. */
class Callers {
  readonly #inFlight = new Map<string, number>();
  #maxCallers = KEPT_CALLERS;

  hasNone(authorization: string | undefined): boolean {
    return authorization !== undefined && !this.#inFlight.get(authorization);
  }

  begin(authorization: string | undefined): void {
    if (authorization === undefined) return;
    const inFlight = this.#inFlight.get(authorization);
    if (inFlight === undefined && this.#inFlight.size >= this.#maxCallers) this.#dropIdle();
    this.#inFlight.set(authorization, (inFlight ?? 0) + 1);
  }

  end(authorization: string | undefined): void {
    if (authorization === undefined) return;
    this.#inFlight.set(authorization, (this.#inFlight.get(authorization) as number) - 1);
  }

  /** Called only if there are many callers, because frequent deletions cause full garbage collections. */
  #dropIdle(): void {
    for (const [authorization, inFlight] of this.#inFlight) {
      if (inFlight === 0) this.#inFlight.delete(authorization);
    }
    this.#maxCallers = Math.max(KEPT_CALLERS, 2 * this.#inFlight.size);
  }
}

/** Reads the path as the router does: the path ends at ? or #, and is decoded. */
function queriesStore(url: string): boolean {
  if (STORE_PATH.test(url)) return true;
  const [path = ''] = url.split(/[?#]/, 1);
  return path.includes('%') && STORE_PATH.test(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function refuser({ listener, monotonicMs, logger, metrics }: LoadSheddingOptions): RequestListener {
  const problem = unavailable('overload');
  const lines = new LogInterval(LOG_INTERVAL_MS, monotonicMs);

  return (request, response) => {
    const unlogged = lines.take('overload');
    if (unlogged !== undefined)
      logger.warn({ reason: 'overload', refused: unlogged + 1 }, 'overloaded: requests are refused');
    metrics.countProblem(listener, problem);
    const requestId = randomUUID();
    const { headers, body } = problemResponse(problem, requestId);
    response.writeHead(problem.status, headers).end(request.method === 'HEAD' ? undefined : body);
  };
}

/** A paused connection is not read for this time, so that refusals do not take all of the thread's time. */
const PAUSE_MS = 250;

const TOO_MANY_REQUESTS = 429;
/** Each 429 adds 1 to the score of its connection. A connection with this score pauses. */
const MAX_SCORE = 10;
/** Other responses lower the score by this, so that a few 429 do not pause a proxy that has many callers. */
const LOWERED_BY_OTHERS = 2;

class ConnectionPauses {
  readonly #scores = new WeakMap<Socket, number>();

  /** Call this after the response: sending it makes node:http resume reading. */
  pause(socket: Socket): void {
    if (socket.destroyed) return;
    pauseReading(socket);
    setTimeout(() => resumeReading(socket), PAUSE_MS).unref();
  }

  countResponse(socket: Socket, status: number): void {
    const score = this.#scores.get(socket) ?? 0;
    if (status === TOO_MANY_REQUESTS) {
      this.#scores.set(socket, Math.min(MAX_SCORE, score + 1));
      if (score + 1 >= MAX_SCORE) this.pause(socket);
    } else if (score > 0) {
      this.#scores.set(socket, Math.max(0, score - LOWERED_BY_OTHERS));
    }
  }
}

/** An event-loop iteration normally takes 1 to 5 ms. */
const SLOW_ITERATION_MS = 20;
const ADMITS_AFTER_SLOW_MS = 20;
const ADMITS_MS = 100;
/** Every iteration admits at least this many requests, even if other programs have delayed the process. */
const MIN_ADMITTED = 64;

/** Refuses the last requests of an event-loop iteration that takes too long: they have waited too long. */
export class EventLoopLimit {
  readonly #monotonicMs: () => number;
  readonly #afterIteration: (callback: () => void) => void;
  #beganAtMs: number | undefined;
  #admitted = 0;
  #limitMs = ADMITS_MS;

  constructor(monotonicMs: () => number, afterIteration: (callback: () => void) => void) {
    this.#monotonicMs = monotonicMs;
    this.#afterIteration = afterIteration;
  }

  admits(nowMs: number): boolean {
    if (this.#beganAtMs === undefined) {
      this.#beganAtMs = nowMs;
      this.#admitted = 0;
      this.#afterIteration(() => this.#end());
    }
    if (this.#admitted >= MIN_ADMITTED && nowMs - this.#beganAtMs > this.#limitMs) return false;
    this.#admitted++;
    return true;
  }

  #end(): void {
    const tookMs = this.#monotonicMs() - (this.#beganAtMs as number);
    this.#limitMs = tookMs > SLOW_ITERATION_MS ? ADMITS_AFTER_SLOW_MS : ADMITS_MS;
    this.#beganAtMs = undefined;
  }
}

/**
 * The least time between two changes of the limit: long enough to measure response times, but short enough to
 * lower the limit during a burst.
 */
const INTERVAL_MS = 100;
/** Enough requests to use all database connections. */
const MIN_LIMIT = 16;
const RESERVED_FOR_IDLE_CALLERS = 16;

interface ConcurrencyLimitOptions {
  targetMs: number;
  maxLimit: number;
}

/**
 * If requests queue for the store, lowers the limit of requests in flight. There is a queue if even the
 * fastest response of an interval took longer than `targetMs`. Source: CoDel (RFC 8289).
 */
export class ConcurrencyLimit {
  readonly #targetMs: number;
  readonly #maxLimit: number;
  #limit: number;
  #inFlight = 0;
  #maxInFlight = 0;
  #hasRefused = false;
  #fastestMs = Number.POSITIVE_INFINITY;
  #nextAdjustmentMs = 0;

  constructor({ targetMs, maxLimit }: ConcurrencyLimitOptions) {
    this.#targetMs = targetMs;
    this.#maxLimit = maxLimit;
    this.#limit = maxLimit;
  }

  get limit(): number {
    return this.#limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Returns false if the request must be refused. Otherwise, call end() after the request. */
  begin(callerIsIdle = false): boolean {
    if (this.#inFlight >= this.#limit + (callerIsIdle ? RESERVED_FOR_IDLE_CALLERS : 0)) {
      this.#hasRefused = true;
      return false;
    }
    this.#inFlight++;
    if (this.#inFlight > this.#maxInFlight) this.#maxInFlight = this.#inFlight;
    return true;
  }

  end(beganAtMs: number, nowMs: number, usedStore: boolean): void {
    this.#inFlight--;
    const tookMs = nowMs - beganAtMs;
    if ((usedStore || tookMs > this.#targetMs) && tookMs < this.#fastestMs) this.#fastestMs = tookMs;
    if (nowMs >= this.#nextAdjustmentMs) this.#adjust(nowMs);
  }

  #adjust(nowMs: number): void {
    const fastestMs = this.#fastestMs;
    const isUnknown = fastestMs === Number.POSITIVE_INFINITY;
    if (!isUnknown && fastestMs > this.#targetMs) {
      this.#limit = Math.max(MIN_LIMIT, Math.floor(Math.min(this.#limit, this.#maxInFlight) * 0.75));
    } else if (this.#hasRefused) {
      this.#limit = Math.min(this.#maxLimit, Math.ceil(this.#limit * 1.25));
    }
    // The effect of the new limit shows only after a full response time.
    this.#nextAdjustmentMs = nowMs + (isUnknown ? INTERVAL_MS : Math.max(INTERVAL_MS, fastestMs));
    this.#fastestMs = Number.POSITIVE_INFINITY;
    this.#maxInFlight = this.#inFlight;
    this.#hasRefused = false;
  }
}
