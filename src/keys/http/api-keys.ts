import type { FastifyInstance } from 'fastify';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { BODY_PROBLEMS, operatorProblems } from '../../ledger/record/http/responses.ts';
import { makeApiKey } from '../api-key.ts';
import { CREATED_KEY_EXAMPLES, LISTED_KEYS_EXAMPLES, REVOKED_KEY_EXAMPLES } from './api-key-examples.ts';
import { CreatedKey, KeyRequest, ListedKey } from './api-key-schemas.ts';
import { createdKey, listedKey, readKeyRequest } from './key-bodies.ts';
import type { ApiKeyDependencies } from './key-dependencies.ts';
import { rollKeyRoute } from './roll-key.ts';

const KEYS_PATH = '/v1/accounts/:account/keys';

/** Creates, lists, revokes and rolls the keys of an account, as the commands of `keys` do. */
export function apiKeyRoutes(app: FastifyInstance, dependencies: ApiKeyDependencies): void {
  createKeyRoute(app, dependencies);
  listKeysRoute(app, dependencies);
  revokeKeyRoute(app, dependencies);
  rollKeyRoute(app, dependencies);
}

function createKeyRoute(
  app: FastifyInstance,
  { store, now, randomBytes, authenticate }: ApiKeyDependencies,
): void {
  app.post<{ Params: { account: string }; Body: Record<string, unknown> | null }>(KEYS_PATH, {
    onRequest: authenticate('keys'),
    schema: {
      operationId: 'createKey',
      tags: ['keys'],
      summary: 'Create a key for an account',
      description: 'The key is shown in this response only. Its scopes cannot be changed.',
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
      return reply.code(201).send({ ...createdKey(stored), key });
    },
  });
}

function listKeysRoute(app: FastifyInstance, { store, now, authenticate }: ApiKeyDependencies): void {
  app.get<{ Params: { account: string } }>(KEYS_PATH, {
    onRequest: authenticate('keys'),
    schema: {
      operationId: 'listKeys',
      tags: ['keys'],
      summary: "List an account's keys, without the keys themselves",
      description:
        'Oldest first, with revoked and expired ones. The list of an account without keys is empty.',
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
    onRequest: authenticate('keys'),
    schema: {
      operationId: 'revokeKey',
      tags: ['keys'],
      summary: 'Revoke a key',
      description:
        'The key is refused within a second, on every instance. Revoking a revoked key changes nothing.',
      params: pathSchema('account', 'id'),
      response: {
        200: jsonResponse('The revoked key.', Type.Ref(ListedKey), REVOKED_KEY_EXAMPLES),
        ...operatorProblems('not_found', 'invalid_body', 'unsupported_media_type'),
      },
    },
    handler: async (request) => {
      const { account, id } = request.params;
      const key = await store.retrieveApiKey(id);
      const revoked = key?.account === account ? await store.revokeApiKey(id, now()) : undefined;
      if (revoked === undefined) throw notFound('id');
      return listedKey(revoked, now());
    },
  });
}
