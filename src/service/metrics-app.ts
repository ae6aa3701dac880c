import type { FastifyInstance } from 'fastify';
import { addOperations } from '../http/operations/operation.ts';
import { createServer } from '../http/server/create-server.ts';
import { type ServerDependencies, serverSettings } from './app.ts';
import { HEALTH_OPERATIONS } from './health.ts';
import type { ServerApp } from './listener.ts';
import type { Metrics } from './metrics.ts';

export async function buildMetricsApp(dependencies: ServerDependencies): Promise<ServerApp> {
  const { metrics, store } = dependencies;
  const stopping = new AbortController();
  const server = createServer({
    listener: 'metrics',
    takesBodiesOfAnyLength: false,
    // Monitoring must reach the process even when it is overloaded.
    sheds: 'nothing',
    stopping: stopping.signal,
    ...serverSettings(dependencies),
  });
  await addOperations(server, {
    operations: HEALTH_OPERATIONS,
    listener: 'operator',
    context: { store, stopping: stopping.signal, isDraining: dependencies.isDraining ?? (() => false) },
    admission: null,
  });
  metricsRoute(server, metrics);
  await server.ready();
  return { server, announceStop: () => stopping.abort() };
}

/** Serves the metrics without a key, because they contain no account, reference, amount or key. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.type(contentType).send(body);
    },
  });
}
