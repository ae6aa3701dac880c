import { Unavailable } from '../../values/unavailable.ts';
import { defineOperation, type ListenerOperation } from '../http/operations/operation.ts';
import { jsonResponse } from '../http/schemas/responses.ts';
import { Type } from '../http/schemas/type.ts';
import { buildInfo } from './build-info.ts';

const HealthSchema = Type.Object(
  { status: Type.String({ examples: ['ok'] }) },
  { $id: 'Health', title: 'Health' },
);

const ReadinessSchema = Type.Object(
  {
    status: Type.String({ examples: ['ok'] }),
    version: Type.String({ description: 'The version of the service.', examples: ['1.2.3'] }),
    commit: Type.String({
      description: 'The commit that it was built from, or unknown.',
      examples: ['1f0c7e2b9d3a4c5e6f708192a3b4c5d6e7f80912'],
    }),
  },
  { $id: 'Readiness', title: 'Readiness' },
);

const ready = 'The database answers.';

const healthy = (description: string) => ({
  200: jsonResponse(description, Type.Ref(HealthSchema), {
    ok: { summary: description, value: { status: 'ok' } },
  }),
});

function onBoth(id: string, summary: string, description: string) {
  const offer = { id, path: `/${id}`, access: 'no key', tag: 'operation', summary, description } as const;
  return { public: offer, operator: offer } satisfies Record<string, ListenerOperation>;
}

interface HealthContext {
  store: { ping(): Promise<void> };
  stopping: AbortSignal;
  isDraining: () => boolean;
}

const checkProcess = (id: string) =>
  defineOperation({
    method: 'GET',
    ...onBoth(
      id,
      'Liveness',
      'The process runs. It does not query the database: a process must not be restarted because its database is down.',
    ),
    responses: healthy('The process runs.'),
    handler: () => async () => ({ status: 'ok' }),
  });

const checkReadiness = defineOperation({
  method: 'GET',
  ...onBoth(
    'readyz',
    'Readiness',
    'The service can answer requests: it queries the database, and returns its version.',
  ),
  responses: {
    200: jsonResponse(ready, Type.Ref(ReadinessSchema), {
      ok: {
        summary: ready,
        value: { status: 'ok', version: '1.2.3', commit: '1f0c7e2b9d3a4c5e6f708192a3b4c5d6e7f80912' },
      },
    }),
  },
  problems: ['internal_error', 'unavailable'],
  handler:
    ({ store, stopping, isDraining }: HealthContext) =>
    async () => {
      if (stopping.aborted || isDraining()) throw new Unavailable('service_stopping');
      await store.ping();
      return { status: 'ok', ...buildInfo() };
    },
});

export const HEALTH_OPERATIONS = [checkProcess('livez'), checkProcess('healthz'), checkReadiness];
