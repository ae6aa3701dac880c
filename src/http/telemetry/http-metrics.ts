import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { UNAVAILABLE, type UnavailableReason } from '../../../values/unavailable.ts';
import type { OnRequestEnd } from '../server/begin-request.ts';

export type Listener = 'public' | 'operator';

export type CountedListener = Listener | 'metrics';

interface ObservedResponse {
  listener: CountedListener;
  method: string;
  /** The route as registered, so that no reference or account is in a series; "none" if no route matched. */
  route: string;
  status: number;
  problem: ObservedProblem | null;
  durationSeconds: number;
}

interface ObservedProblem {
  code: string;
  options: { errors?: readonly { code: string }[]; reason?: UnavailableReason };
}

export interface HttpMetrics {
  observe(response: ObservedResponse): void;
  /** For a response that is not observed, because Fastify never got the request or ran no hook for it. */
  countProblem(listener: CountedListener, problem: ObservedProblem): void;
  /** Counts lines of a batch that were not recorded, although the batch's response has status 200. */
  countUnavailable(reason: UnavailableReason, lines: number): void;
  countClosedConnection(listener: CountedListener, reason: string): void;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** For each of these codes, the counter begins at 0. Otherwise, an alert could not see the first increase. */
const ALERTED_CODES = ['history_changed', 'internal_error'];

const CURSOR_REFUSALS: ReadonlyMap<string, string> = new Map([
  ['cursor_expired', 'expired'],
  ['cursor_malformed', 'malformed'],
  ['cursor_filter_mismatch', 'filter_mismatch'],
]);

export function createHttpMetrics(registers: Registry[]): HttpMetrics {
  const observeDuration = durationHistogram(registers);
  const problems = new Counter({
    name: 'transactions_http_problems_total',
    help: 'Responses with a problem document, by error code.',
    labelNames: ['listener', 'code'],
    registers,
  });
  for (const listener of ['public', 'operator'])
    for (const code of ALERTED_CODES) problems.inc({ listener, code }, 0);
  const unavailable = new Counter({
    name: 'transactions_unavailable_total',
    help: 'Responses with 503, and lines of batches with the outcome unavailable, by the reason that /guides/troubleshooting explains; overload: refused before any work was done.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of Object.keys(UNAVAILABLE)) unavailable.inc({ reason }, 0);
  const connectionsClosed = new Counter({
    name: 'transactions_http_connections_closed_total',
    help: 'Connections closed because of a limit, by reason: address, all, unsent, pipelined.',
    labelNames: ['listener', 'reason'],
    registers,
  });
  const cursorsRefused = new Counter({
    name: 'transactions_cursors_refused_total',
    help: 'Cursors refused, by reason, including those of requests with other faults.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of CURSOR_REFUSALS.values()) cursorsRefused.inc({ reason }, 0);

  const countProblem: HttpMetrics['countProblem'] = (listener, { code, options }) => {
    problems.inc({ listener, code });
    if (options.reason !== undefined) unavailable.inc({ reason: options.reason });
    for (const fault of options.errors ?? []) {
      const reason = CURSOR_REFUSALS.get(fault.code);
      if (reason !== undefined) cursorsRefused.inc({ reason });
    }
  };

  return {
    observe(response) {
      observeDuration(response);
      if (response.problem !== null) countProblem(response.listener, response.problem);
    },
    countProblem,
    countUnavailable: (reason, lines) => unavailable.inc({ reason }, lines),
    countClosedConnection: (listener, reason) => connectionsClosed.inc({ listener, reason }),
  };
}

function durationHistogram(registers: Registry[]): (response: ObservedResponse) => void {
  const durations = new Histogram({
    name: 'transactions_http_request_duration_seconds',
    help: 'Time from the parsed headers of a request to the end of its response, without waiting for changes and without sending an export.',
    labelNames: ['listener', 'method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  // Series are cached, because the metrics library's search by labels is too slow for every request.
  const series = new Map<string, ReturnType<typeof durations.labels>>();
  return ({ listener, method, route, status, durationSeconds }) => {
    const key = `${listener} ${method} ${route} ${status}`;
    let one = series.get(key);
    if (one === undefined) {
      one = durations.labels({ listener, method, route, status: String(status) });
      series.set(key, one);
    }
    one.observe(durationSeconds);
  };
}

export function measureResponses(onEnd: OnRequestEnd, listener: CountedListener, metrics: HttpMetrics): void {
  onEnd(({ request, reply, isAnswered, route = 'none', durationMs }) => {
    if (!isAnswered) return;
    metrics.observe({
      listener,
      method: request.method,
      route,
      status: reply.statusCode,
      problem: request.problem,
      durationSeconds: (durationMs - request.waitedMs) / 1000,
    });
  });
}
