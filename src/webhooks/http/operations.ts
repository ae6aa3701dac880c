import { formatTimestamp } from '../../../values/calendar.ts';
import { MAX_WEBHOOKS } from '../../../values/interface/limits.ts';
import { EXAMPLES } from '../../http/examples.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  REPLAYED_HEADER,
  requireIdempotencyKey,
} from '../../http/operations/idempotency-key.ts';
import { accountOf, defineOperation, requireBody } from '../../http/operations/operation.ts';
import {
  PAGE_HEADERS,
  PAGE_QUERY,
  type Page,
  type PageContext,
  readPage,
} from '../../http/operations/page.ts';
import { notFound } from '../../http/operations/parameters.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { readHead } from '../../ledger/changes/changes.ts';
import {
  changeWebhook as change,
  createWebhook as create,
  deleteWebhook as remove,
  replayWebhook as replay,
  rotateWebhookSecret as rotate,
  sameUrlWarning,
} from '../manage-webhooks.ts';
import { formatWebhook } from '../webhook.ts';
import { parseNewWebhook, parseReplay, parseWebhookChanges } from '../webhook-fields.ts';
import { publicKeyOf, shownSecretOf } from '../webhook-message.ts';
import { testWebhookOperation } from './test-webhook.ts';
import {
  managementOf,
  nameOf,
  WEBHOOK_ID,
  WEBHOOK_PATH,
  WEBHOOKS_PATH,
  type WebhookContext,
  webhookBody,
  webhookRules,
} from './webhook-context.ts';
import { listWebhookFailuresOperation, retryWebhookFailureOperation } from './webhook-failures.ts';
import {
  type CreatedWebhookBody,
  CreatedWebhookSchema,
  ReplayRequestSchema,
  RotatedSecretSchema,
  type WebhookBody,
  WebhookChangesRequestSchema,
  WebhookPageSchema,
  WebhookRequestSchema,
  WebhookSchema,
} from './webhook-schemas.ts';

const listWebhooksOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listWebhooks',
    path: WEBHOOKS_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'List endpoints',
    description: 'Oldest first, without their secrets.',
  },
  query: PAGE_QUERY,
  responses: {
    200: jsonResponse(
      'The endpoints, all on one page.',
      Type.Ref(WebhookPageSchema),
      EXAMPLES.webhooks,
      PAGE_HEADERS,
    ),
  },
  handler:
    (context: WebhookContext & PageContext) =>
    async (request, reply): Promise<Page<WebhookBody>> => {
      const { store } = context;
      const account = accountOf(request);
      const { data, ...page } = await readPage(context, request.query, reply, {
        name: `webhooks of ${account}`,
        read: () => store.listWebhooks(account),
        positionOf: ({ id }) => [id],
      });
      request.logFields = { count: data.length };
      if (data.length === 0) return { data: [], ...page };
      const headSequence = await readHead(store, account);
      return { data: data.map((webhook) => ({ ...formatWebhook(webhook), headSequence })), ...page };
    },
});

const retrieveWebhookOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'retrieveWebhook',
    path: WEBHOOK_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Retrieve an endpoint',
    description: 'Without its secret. The lag of its deliveries is headSequence less acknowledgedSequence.',
  },
  pathParameters: { id: WEBHOOK_ID },
  responses: { 200: jsonResponse('The endpoint.', Type.Ref(WebhookSchema), EXAMPLES.webhook) },
  handler:
    ({ store }: WebhookContext) =>
    async (request): Promise<WebhookBody> => {
      const found = await store.findWebhook(accountOf(request), request.params.id);
      if (found === undefined) throw notFound(WEBHOOK_ID);
      return webhookBody(store, found);
    },
});

const createWebhookOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'createWebhook',
    path: WEBHOOKS_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Create an endpoint',
    description:
      `The changes that are recorded from now on are delivered to its URL. To deliver earlier changes too, replay after 0. An account has at most ${MAX_WEBHOOKS} endpoints. ` +
      'The secret is shown in this response only. With the header Idempotency-Key, the request is safe to repeat for 24 hours: the same key with the same ' +
      'fields gets the endpoint again, with its secret and the header Idempotency-Replayed.',
  },
  headers: IDEMPOTENCY_KEY_HEADER,
  body: { type: 'application/json', schema: Type.Ref(WebhookRequestSchema) },
  responses: {
    201: jsonResponse(
      'The endpoint, with its secret.',
      Type.Ref(CreatedWebhookSchema),
      EXAMPLES.createdWebhook,
      REPLAYED_HEADER,
    ),
  },
  problems: ['too_many_webhooks', 'idempotency_key_missing', 'idempotency_key_reused'],
  handler: (context: WebhookContext) => async (request, reply) => {
    const key = request.headers['idempotency-key'] === undefined ? null : requireIdempotencyKey(request);
    const fields = parseNewWebhook(requireBody(request.body), await webhookRules(context));
    const made = await create(managementOf(context, request), accountOf(request), fields, key);
    const { created, isReplayed, sameUrlId } = made;
    request.logFields = { ...request.logFields, webhookId: created.id };
    if (isReplayed) {
      // The response shows stored data, so the API key is checked again, as for a GET.
      await context.keyChecks.requireAdmitted(request);
      reply.header('Idempotency-Replayed', 'true');
    }
    const body: CreatedWebhookBody = {
      ...(await webhookBody(context.store, created)),
      secret: shownSecretOf(created.secret),
      ...(sameUrlId !== null && { warning: sameUrlWarning(sameUrlId) }),
    };
    return reply.code(201).send(body);
  },
});

const changeWebhookOperation = defineOperation({
  method: 'PATCH',
  public: {
    id: 'changeWebhook',
    path: WEBHOOK_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Change an endpoint',
    description:
      'Absent fields do not change. A disabled endpoint keeps its position: enabled again, it gets the changes in between.',
  },
  pathParameters: { id: WEBHOOK_ID },
  body: { type: 'application/json', schema: Type.Ref(WebhookChangesRequestSchema) },
  responses: { 200: jsonResponse('The endpoint.', Type.Ref(WebhookSchema), EXAMPLES.disabledWebhook) },
  handler:
    (context: WebhookContext) =>
    async (request): Promise<WebhookBody> => {
      const changes = parseWebhookChanges(requireBody(request.body), await webhookRules(context));
      const changed = await change(managementOf(context, request), nameOf(request), changes);
      if (changed === undefined) throw notFound(WEBHOOK_ID);
      return webhookBody(context.store, changed);
    },
});

const deleteWebhookOperation = defineOperation({
  method: 'DELETE',
  public: {
    id: 'deleteWebhook',
    path: WEBHOOK_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Delete an endpoint',
    description: 'Deletes the endpoint with its failures. Attempts that have begun can still arrive.',
  },
  pathParameters: { id: WEBHOOK_ID },
  responses: { 204: emptyResponse('The endpoint is deleted.') },
  handler: (context: WebhookContext) => async (request, reply) => {
    if (!(await remove(managementOf(context, request), nameOf(request)))) throw notFound(WEBHOOK_ID);
    return reply.code(204).send();
  },
});

const replayWebhookOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'replayWebhook',
    path: `${WEBHOOK_PATH}/replay`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Replay changes',
    description:
      'Delivers all changes after a sequence number again, in their order, with the same webhook-id. Failures after it are removed, because their changes are delivered again too.',
  },
  pathParameters: { id: WEBHOOK_ID },
  body: { type: 'application/json', schema: Type.Ref(ReplayRequestSchema) },
  responses: { 200: jsonResponse('The endpoint.', Type.Ref(WebhookSchema), EXAMPLES.replayedWebhook) },
  problems: ['sequence_ahead', 'changes_archived'],
  handler:
    (context: WebhookContext) =>
    async (request): Promise<WebhookBody> => {
      const after = parseReplay(requireBody(request.body));
      request.logFields = { after };
      const replayed = await replay(managementOf(context, request), nameOf(request), after);
      if (replayed === undefined) throw notFound(WEBHOOK_ID);
      return webhookBody(context.store, replayed);
    },
});

const rotateWebhookSecretOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'rotateWebhookSecret',
    path: `${WEBHOOK_PATH}/rotate-secret`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Rotate a secret',
    description:
      'For 24 hours, webhooks are signed with the new secret and with the previous one, so that the receiver can be changed meanwhile. A second rotation in this time ends ' +
      'the first secret at once: webhooks that the receiver then refuses are sent again later.',
  },
  pathParameters: { id: WEBHOOK_ID },
  responses: { 200: jsonResponse('The secret.', Type.Ref(RotatedSecretSchema), EXAMPLES.rotatedSecret) },
  handler: (context: WebhookContext) => async (request) => {
    const rotated = await rotate(managementOf(context, request), nameOf(request));
    if (rotated?.previousSecret == null) throw notFound(WEBHOOK_ID);
    return {
      secret: shownSecretOf(rotated.secret),
      publicKey: publicKeyOf(rotated.secret),
      previousSecretUntil: formatTimestamp(rotated.previousSecret.untilMs),
    };
  },
});

export const WEBHOOK_OPERATIONS = [
  listWebhooksOperation,
  createWebhookOperation,
  retrieveWebhookOperation,
  deleteWebhookOperation,
  changeWebhookOperation,
  testWebhookOperation,
  replayWebhookOperation,
  rotateWebhookSecretOperation,
  listWebhookFailuresOperation,
  retryWebhookFailureOperation,
];
