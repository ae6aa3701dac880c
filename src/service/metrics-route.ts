import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Serves the metrics without a key: they contain no account, reference, amount or key. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.type(contentType).send(body);
    },
  });
}
