import { defineOperation, type Offer } from '../http/operations/operation.ts';
import { PROBLEMS } from '../http/problems/problems.ts';
import { jsonResponse } from '../http/schemas/responses.ts';
import { Type } from '../http/schemas/type.ts';
import { Unavailable } from '../values/unavailable.ts';

const Health = Type.Object({ status: Type.String({ examples: ['ok'] }) }, { $id: 'Health', title: 'Health' });

const healthy = (description: string) => ({
  200: jsonResponse(description, Type.Ref(Health), { ok: { summary: description, value: { status: 'ok' } } }),
});

/** The same on both listeners, without a key. */
function onBoth(id: string, summary: string, description: string) {
  const offer = { id, path: `/${id}`, access: 'no key', tag: 'operation', summary, description } as const;
  return { public: offer, operator: offer } satisfies Record<string, Offer>;
}

export interface HealthContext {
  store: { ping(): Promise<void> };
  /** Whether the service is stopping and must get no new requests. */
  isStopping: () => boolean;
}

const checkProcess = (id: string) =>
  defineOperation({
    method: 'GET',
    ...onBoth(
      id,
      'Check that the process runs',
      'Does not query the database: a process must not be restarted because its database is down.',
    ),
    responses: healthy('The process runs.'),
    handler: () => async () => ({ status: 'ok' }),
  });

const checkReadiness = defineOperation({
  method: 'GET',
  ...onBoth('readyz', 'Check that requests can be answered', 'Queries the database.'),
  responses: healthy('The database answers.'),
  problems: [PROBLEMS.internal_error, PROBLEMS.unavailable],
  handler:
    ({ store, isStopping }: HealthContext) =>
    async () => {
      if (isStopping()) throw new Unavailable('service_stopping');
      await store.ping();
      return { status: 'ok' };
    },
});

export const HEALTH_OPERATIONS = [checkProcess('livez'), checkProcess('healthz'), checkReadiness];
