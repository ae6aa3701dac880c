import { timeOrNull } from '../../../values/calendar.ts';
import { Problem } from '../../../values/problem.ts';
import type { AuditContext } from '../../audit/http/request-origin.ts';
import { EXAMPLES } from '../../http/examples.ts';
import { type Context, callerOf, defineOperation } from '../../http/operations/operation.ts';
import { PAGE_HEADERS, PAGE_QUERY, type PageContext, readPage } from '../../http/operations/page.ts';
import { notFound, type PathParameter } from '../../http/operations/parameters.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { ACCOUNT } from '../../ledger/http/account-parameter.ts';
import { formatKey, formatListedKey, isKeyId, makeApiKey } from '../api-key.ts';
import { type ApiKeyStore, keyCreated, keyRevoked } from '../keys.ts';
import { rollKey } from '../roll-key.ts';
import {
  CreatedKeySchema,
  type KeyBody,
  KeyPageSchema,
  KeyRequestSchema,
  KeySchema,
  RolledKeySchema,
  RollRequestSchema,
} from './api-key-schemas.ts';
import { readKeyRequest, readRollRequest } from './key-bodies.ts';

type KeyContext = Context<ApiKeyStore> & AuditContext;

const KEYS_PATH = '/v1/accounts/:account/keys';

const KEY_ID: PathParameter = {
  schema: Type.String({ description: 'As the list of keys shows it.', examples: ['key_0123456789abcdef'] }),
  isValid: isKeyId,
  absent: 'The account has no key with this id.',
  logName: 'targetKeyId',
};

const retrieveKeyOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'retrieveKey',
    path: '/v1/key',
    access: 'any key',
    tag: 'keys',
    summary: 'Retrieve the key',
    description: 'The account, the scopes and the expiry of the API key. It needs no scope.',
  },
  responses: { 200: jsonResponse('The key, without the secret text.', Type.Ref(KeySchema), EXAMPLES.key) },
  handler:
    () =>
    (request): KeyBody => {
      const { account, keyId, person, scopes, expiresAtMs } = callerOf(request);
      const kind = person === null ? 'key' : 'session';
      return { account, id: keyId, kind, person, scopes: [...scopes], expiresAt: timeOrNull(expiresAtMs) };
    },
});

const createKeyOperation = defineOperation({
  method: 'POST',
  operator: {
    id: 'createKey',
    path: KEYS_PATH,
    access: 'keys',
    tag: 'keys',
    summary: 'Create a key',
    description: 'The key is shown in this response only. Its scopes cannot be changed.',
  },
  pathParameters: { account: ACCOUNT },
  body: { type: 'application/json', schema: Type.Ref(KeyRequestSchema), isOptional: true },
  responses: { 201: jsonResponse('The key.', Type.Ref(CreatedKeySchema), EXAMPLES.createdKey) },
  handler:
    ({ store, now, randomBytes, auditStamp, loggedAudit }: KeyContext) =>
    async (request, reply) => {
      const wanted = readKeyRequest(request.params.account, request.body ?? {}, now());
      const { key, stored } = makeApiKey(wanted, now(), randomBytes);
      const entry = keyCreated(stored, auditStamp(request));
      await store.createApiKey(stored, entry);
      request.logFields = { targetKeyId: stored.id, audit: loggedAudit(entry) };
      return reply.code(201).send({ ...formatKey(stored), key });
    },
});

const listKeysOperation = defineOperation({
  method: 'GET',
  operator: {
    id: 'listKeys',
    path: KEYS_PATH,
    access: 'keys',
    tag: 'keys',
    summary: 'List keys',
    description: 'Oldest first, with revoked and expired keys. The list of an account without keys is empty.',
  },
  pathParameters: { account: ACCOUNT },
  query: PAGE_QUERY,
  responses: { 200: jsonResponse('A page of keys.', Type.Ref(KeyPageSchema), EXAMPLES.keys, PAGE_HEADERS) },
  handler: (context: KeyContext & PageContext) => async (request, reply) => {
    const { account } = request.params;
    const page = await readPage(context, request.query, reply, {
      name: `keys of ${account}`,
      read: (place: readonly [number, string] | null, limit) => {
        const after = place && { account, createdAtMs: place[0], id: place[1] };
        return context.store.listApiKeys(account, after, limit);
      },
      positionOf: ({ createdAtMs, id }) => [createdAtMs, id] as const,
    });
    return { ...page, data: page.data.map((key) => formatListedKey(key, context.now())) };
  },
});

const revokeKeyOperation = defineOperation({
  method: 'DELETE',
  operator: {
    id: 'revokeKey',
    path: `${KEYS_PATH}/:id`,
    access: 'keys',
    tag: 'keys',
    summary: 'Revoke a key',
    description:
      'The key is refused within a second, on every instance. Revoking a revoked key changes nothing.',
  },
  pathParameters: { account: ACCOUNT, id: KEY_ID },
  responses: { 204: emptyResponse('The key is revoked.') },
  handler:
    ({ store, now, auditStamp, loggedAudit }: KeyContext) =>
    async (request, reply) => {
      const { account, id } = request.params;
      const entry = keyRevoked({ account, id }, auditStamp(request));
      const key = await store.retrieveApiKey(id);
      const revoked = key?.account === account ? await store.revokeApiKey(id, now(), entry) : undefined;
      if (revoked === undefined) throw notFound(KEY_ID);
      if (key?.revokedAtMs === null) request.logFields = { audit: loggedAudit(entry) };
      return reply.code(204).send();
    },
});

const rollKeyOperation = defineOperation({
  method: 'POST',
  operator: {
    id: 'rollKey',
    path: `${KEYS_PATH}/:id/roll`,
    access: 'keys',
    tag: 'keys',
    summary: 'Roll a key',
    description:
      'Replaces a key. The new key has the same account, label and scopes, and is shown in this response only. The old key is accepted until the grace is over, ' +
      'on every instance, and then expires. Rolling never makes it expire later. If the response is lost, roll the key again, ' +
      'and revoke the new key that nobody has.',
  },
  pathParameters: { account: ACCOUNT, id: KEY_ID },
  body: { type: 'application/json', schema: Type.Ref(RollRequestSchema), isOptional: true },
  responses: {
    201: jsonResponse(
      'The new key, and when the old key expires.',
      Type.Ref(RolledKeySchema),
      EXAMPLES.rolledKey,
    ),
  },
  problems: ['key_not_active'],
  handler:
    ({ store, now, randomBytes, auditStamp, loggedAudit }: KeyContext) =>
    async (request, reply) => {
      const { account, id } = request.params;
      const wanted = readRollRequest(request.body ?? {}, now());
      const old = await store.retrieveApiKey(id);
      if (old?.account !== account) throw notFound(KEY_ID);
      const rolled = await rollKey(store, old, wanted, auditStamp(request), randomBytes);
      if (rolled === undefined) {
        throw new Problem(
          'key_not_active',
          'The key is revoked or has expired, so it cannot be rolled. Create a new one.',
        );
      }
      request.logFields = { newKeyId: rolled.created.id, audit: loggedAudit(rolled.entry) };
      const replaced = { id, expiresAt: timeOrNull(rolled.old.expiresAtMs) };
      return reply.code(201).send({ ...formatKey(rolled.created), key: rolled.key, replaced });
    },
});

export const KEY_OPERATIONS = [
  createKeyOperation,
  listKeysOperation,
  revokeKeyOperation,
  rollKeyOperation,
  retrieveKeyOperation,
];
