import type { FastifyInstance } from 'fastify';
import { unavailable } from '../http/problems/problem.ts';
import type { ProblemCode } from '../http/problems/problems.ts';
import { OTHER_EXAMPLES } from '../http/reference/examples/other-problems.ts';
import { jsonResponse, problemResponses, TRANSPORT_PROBLEMS } from '../http/schemas/responses.ts';
import { Type } from '../http/schemas/type.ts';
import type { Store } from '../store/store.ts';

const Health = Type.Object(
  { status: Type.Enum(['ok']) },
  { $id: 'Health', title: 'Health', additionalProperties: false },
);

const healthy = (description: string) =>
  jsonResponse(description, Type.Ref(Health), { ok: { summary: description, value: { status: 'ok' } } });

const problems = (...codes: ProblemCode[]) =>
  problemResponses([...TRANSPORT_PROBLEMS, ...codes], {
    examples: { invalid_request: OTHER_EXAMPLES.noHost },
  });

export interface HealthDependencies {
  store: Pick<Store, 'ping'>;
  /** Whether the service is stopping and must get no new requests. */
  isStopping: () => boolean;
}

export function healthRoutes(app: FastifyInstance, { store, isStopping }: HealthDependencies): void {
  for (const path of ['/livez', '/healthz']) {
    app.get(path, {
      schema: {
        operationId: path.slice(1),
        tags: ['operation'],
        summary: 'Check that the process runs',
        description:
          'Does not query the database: a process must not be restarted because its database is down.',
        security: [],
        response: { 200: healthy('The process runs.'), ...problems() },
      },
      handler: async () => ({ status: 'ok' }),
    });
  }

  app.get('/readyz', {
    schema: {
      operationId: 'readyz',
      tags: ['operation'],
      summary: 'Check that requests can be answered',
      description: 'Queries the database.',
      security: [],
      response: {
        200: healthy('The database answers.'),
        ...problems('internal_error', 'unavailable'),
      },
    },
    handler: async () => {
      if (isStopping()) throw unavailable('The service is stopping.');
      await store.ping();
      return { status: 'ok' };
    },
  });
}
