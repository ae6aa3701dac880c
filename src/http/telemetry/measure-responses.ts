import type { FastifyInstance } from 'fastify';
import { durationMsOf } from '../server/begin-request.ts';
import type { HttpMetrics, Listener } from './http-metrics.ts';

export function measureResponses(
  app: FastifyInstance,
  listener: Listener,
  metrics: HttpMetrics,
  monotonicMs: () => number,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    // Fastify builds this object at each access.
    const { url: route = 'none' } = request.routeOptions;
    metrics.observe({
      listener,
      method: request.method,
      route,
      status: reply.statusCode,
      problem: request.problem,
      durationSeconds: durationMsOf(request, monotonicMs()) / 1000,
    });
    done();
  });
}
