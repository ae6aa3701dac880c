import type { FastifyInstance } from 'fastify';
import { type ApiKey, explainLabel, makeApiKey, stateOfApiKey } from '../../../core/access/api-key.ts';
import { explainTimestamp, formatTimestamp, parseTimestamp } from '../../../core/calendar.ts';
import { addUnknownFields, FaultList } from '../../../core/fault-list.ts';
import type { RandomBytes } from '../../../core/reference.ts';
import type { ApiKeyStore } from '../../../core/store.ts';
import type { requireApiKey } from '../../access/authenticate.ts';
import { notFound, pathSchema } from '../../path-parameters.ts';
import { type BodyFault, bodyFault } from '../../problems/body-fault.ts';
import { faultyFields } from '../../problems/problem.ts';
import {
  CREATED_KEY_EXAMPLES,
  LISTED_KEYS_EXAMPLES,
  REVOKED_KEY_EXAMPLES,
} from '../../reference/examples/api-keys.ts';
import { CreatedKey, KeyRequest, ListedKey } from '../../schemas/api-keys.ts';
import { jsonResponse } from '../../schemas/responses.ts';
import { Type } from '../../schemas/type.ts';
import { BODY_PROBLEMS, operatorProblems } from './responses.ts';

export interface ApiKeyDependencies {
  store: ApiKeyStore;
  now: () => number;
  randomBytes: RandomBytes;
  authenticate: ReturnType<typeof requireApiKey>;
}

const KEYS_PATH = '/v1/accounts/:account/keys';
const FIELDS = new Set(['label', 'expiresAt']);

/** Creates, lists and revokes the keys of an account, as the commands `keys create|list|revoke` do. */
export function apiKeyRoutes(app: FastifyInstance, dependencies: ApiKeyDependencies): void {
  createKeyRoute(app, dependencies);
  listKeysRoute(app, dependencies);
  revokeKeyRoute(app, dependencies);
}

function createKeyRoute(
  app: FastifyInstance,
  { store, now, randomBytes, authenticate }: ApiKeyDependencies,
): void {
  app.post<{ Params: { account: string }; Body: Record<string, unknown> | null }>(KEYS_PATH, {
    onRequest: authenticate,
    schema: {
      operationId: 'createKey',
      tags: ['keys'],
      summary: 'Create a key for an account',
      description: 'The key is shown in this response only.',
      security: [{ apiKey: [] }],
      params: pathSchema('account'),
      body: Type.Ref(KeyRequest),
      response: {
        201: jsonResponse('The key.', Type.Ref(CreatedKey), CREATED_KEY_EXAMPLES),
        ...operatorProblems(...BODY_PROBLEMS),
      },
    },
    handler: async (request, reply) => {
      const wanted = readKeyRequest(request.params.account, request.body ?? {}, now());
      const { key, stored } = makeApiKey(wanted, now(), randomBytes);
      await store.createApiKey(stored);
      request.logFields = { targetKeyId: stored.id };
      const { state: _, revokedAt: __, lastUsedAt: ___, ...fields } = listedKey(stored, now());
      return reply.code(201).send({ ...fields, key });
    },
  });
}

function listKeysRoute(app: FastifyInstance, { store, now, authenticate }: ApiKeyDependencies): void {
  app.get<{ Params: { account: string } }>(KEYS_PATH, {
    onRequest: authenticate,
    schema: {
      operationId: 'listKeys',
      tags: ['keys'],
      summary: "List an account's keys, without the keys themselves",
      description:
        'Oldest first, with revoked and expired ones. The list of an account without keys is empty.',
      security: [{ apiKey: [] }],
      params: pathSchema('account'),
      response: {
        200: jsonResponse(
          'The keys.',
          Type.Object({ data: Type.Array(Type.Ref(ListedKey)) }),
          LISTED_KEYS_EXAMPLES,
        ),
        ...operatorProblems('not_found'),
      },
    },
    handler: async (request) => {
      const keys = await store.listApiKeys(request.params.account);
      return { data: keys.map((key) => listedKey(key, now())) };
    },
  });
}

function revokeKeyRoute(app: FastifyInstance, { store, now, authenticate }: ApiKeyDependencies): void {
  app.delete<{ Params: { account: string; id: string } }>(`${KEYS_PATH}/:id`, {
    onRequest: authenticate,
    schema: {
      operationId: 'revokeKey',
      tags: ['keys'],
      summary: 'Revoke a key',
      description:
        'The key is refused within a second, on every instance. Revoking a revoked key changes nothing.',
      security: [{ apiKey: [] }],
      params: pathSchema('account', 'id'),
      response: {
        200: jsonResponse('The revoked key.', Type.Ref(ListedKey), REVOKED_KEY_EXAMPLES),
        ...operatorProblems('not_found', 'invalid_body', 'unsupported_media_type'),
      },
    },
    handler: async (request) => {
      const { account, id } = request.params;
      const isOfAccount = async () => (await store.listApiKeys(account)).some((key) => key.id === id);
      const revoked = (await isOfAccount()) ? await store.revokeApiKey(id, now()) : undefined;
      if (revoked === undefined) throw notFound('id');
      return listedKey(revoked, now());
    },
  });
}

function readKeyRequest(account: string, body: Record<string, unknown>, nowMs: number) {
  const faults = new FaultList<BodyFault>();
  addUnknownFields(body, FIELDS, faults, describeUnknown);
  const text = (field: string): string | null => {
    const value = body[field] ?? null;
    if (value === null || typeof value === 'string') return value;
    faults.add(bodyFault(field, `is a ${typeof value}; write it as a string`));
    return null;
  };

  const label = text('label');
  const labelFault = label === null ? undefined : explainLabel(label);
  if (labelFault !== undefined) faults.add(bodyFault('label', labelFault));

  const expiresAt = text('expiresAt');
  const expiresAtMs = expiresAt === null ? null : parseTimestamp(expiresAt);
  if (expiresAt !== null && expiresAtMs === undefined)
    faults.add(bodyFault('expiresAt', explainTimestamp(expiresAt)));
  else if (typeof expiresAtMs === 'number' && expiresAtMs <= nowMs)
    faults.add(
      bodyFault(
        'expiresAt',
        'is in the past; write a time in the future, or null for a key that never expires',
      ),
    );

  if (faults.count > 0 || expiresAtMs === undefined) throw faultyFields(faults);
  return { account, label, expiresAtMs };
}

function describeUnknown(field: string): BodyFault {
  return bodyFault(field, `is not a field of a key; the fields are ${[...FIELDS].join(', ')}`);
}

function listedKey(key: ApiKey, nowMs: number): ListedKey {
  const time = (timeMs: number | null) => (timeMs === null ? null : formatTimestamp(timeMs));
  return {
    id: key.id,
    account: key.account,
    label: key.label,
    state: stateOfApiKey(key, nowMs),
    createdAt: formatTimestamp(key.createdAtMs),
    expiresAt: time(key.expiresAtMs),
    revokedAt: time(key.revokedAtMs),
    lastUsedAt: time(key.lastUsedAtMs),
  };
}
