import type { OnRequestEnd } from '../server/begin-request.ts';
import type { CountedListener, HttpMetrics } from './http-metrics.ts';

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
