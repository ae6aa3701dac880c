import type { FastifyInstance } from 'fastify';
import type { Store } from '../../core/store.ts';
import { OTHER_EXAMPLES } from '../examples/other-problems.ts';
import type { ProblemCode } from '../problems.ts';
import { jsonResponse, problemResponses, TRANSPORT_PROBLEMS } from '../schemas/responses.ts';
import { Type } from '../schemas/type.ts';

const Health = Type.Object(
  { status: Type.Enum(['ok']) },
  { $id: 'Health', title: 'Health', additionalProperties: false },
);

const healthy = (description: string) =>
  jsonResponse(description, Type.Ref('Health'), { ok: { summary: description, value: { status: 'ok' } } });

const problems = (...codes: ProblemCode[]) =>
  problemResponses([...TRANSPORT_PROBLEMS, ...codes], {
    examples: { invalid_request: OTHER_EXAMPLES.noHost },
  });

export interface HealthDependencies {
  store: Pick<Store, 'ping'>;
  /** Throws once the service is stopping, so that no new work is sent to it. */
  refuseWhenStopping: () => void;
}

export function healthRoutes(app: FastifyInstance, { store, refuseWhenStopping }: HealthDependencies): void {
  app.addSchema(Health);

  for (const path of ['/livez', '/healthz']) {
    app.get(path, {
      schema: {
        operationId: path.slice(1),
        tags: ['operation'],
        summary: 'Whether the process runs',
        description:
          'Never asks the database: a process that lives is not restarted because its database is away.',
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
      summary: 'Whether requests can be answered',
      description: 'Asks the database.',
      security: [],
      response: {
        200: healthy('The database answers.'),
        ...problems('internal_error', 'unavailable'),
      },
    },
    handler: async () => {
      refuseWhenStopping();
      await store.ping();
      return { status: 'ok' };
    },
  });
}
