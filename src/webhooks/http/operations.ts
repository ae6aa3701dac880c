import type { FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../../values/calendar.ts';
import { MAX_WEBHOOKS } from '../../../values/interface/limits.ts';
import type { StatusNames } from '../../../values/status.ts';
import { Unavailable } from '../../../values/unavailable.ts';
import { isSequenceText } from '../../../values/whole-number.ts';
import type { AuditContext } from '../../audit/http/request-origin.ts';
import { EXAMPLES } from '../../http/examples.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  REPLAYED_HEADER,
  requireIdempotencyKey,
} from '../../http/operations/idempotency-key.ts';
import { accountOf, type Context, defineOperation, requireBody } from '../../http/operations/operation.ts';
import {
  PAGE_HEADERS,
  PAGE_QUERY,
  type Page,
  type PageContext,
  readPage,
} from '../../http/operations/page.ts';
import { notFound, type PathParameter } from '../../http/operations/parameters.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../http/server/long-request.ts';
import { readHead } from '../../ledger/changes/changes.ts';
import {
  changeWebhook as change,
  createWebhook as create,
  deleteWebhook as remove,
  replayWebhook as replay,
  rotateWebhookSecret as rotate,
  sameUrlWarning,
  type WebhookManagement,
} from '../manage-webhooks.ts';
import type { Send } from '../send.ts';
import { testWebhook as sendTest, testSlots } from '../test-webhook.ts';
import {
  type EndpointName,
  formatFailure,
  formatWebhook,
  isWebhookId,
  type ListedWebhook,
  WEBHOOK_ID_FORM,
} from '../webhook.ts';
import { parseNewWebhook, parseReplay, parseWebhookChanges, type WebhookRules } from '../webhook-fields.ts';
import { publicKeyOf, shownSecretOf } from '../webhook-message.ts';
import {
  type CreatedWebhookBody,
  CreatedWebhookSchema,
  FAILURES_OF_PAGE,
  ReplayRequestSchema,
  RotatedSecretSchema,
  type WebhookBody,
  WebhookChangesRequestSchema,
  type WebhookFailurePageBody,
  WebhookFailurePageSchema,
  WebhookPageSchema,
  WebhookRequestSchema,
  WebhookSchema,
  WebhookTestSchema,
} from './webhook-schemas.ts';

export interface WebhookSending {
  send: Send;
  explainUrl: (url: string, rules?: string) => string | undefined;
  onTestDelivered?: (endpoint: EndpointName) => void;
}

interface WebhookContext extends Context<WebhookManagement['store']>, AuditContext {
  statuses: StatusNames;
  webhooks: WebhookSending;
  stopping: AbortSignal;
}

const WEBHOOKS_PATH = '/v1/webhooks';
const WEBHOOK_PATH = `${WEBHOOKS_PATH}/:id`;

const WEBHOOK_ID: PathParameter = {
  schema: Type.String({
    description: 'As the list of endpoints shows it.',
    pattern: WEBHOOK_ID_FORM,
    examples: ['we_0123456789abcdef'],
  }),
  isValid: isWebhookId,
  absent: 'The account has no endpoint with this id.',
  logName: 'webhookId',
};

const managementOf = (context: WebhookContext, request: FastifyRequest): WebhookManagement => ({
  ...context,
  stamp: () => context.auditStamp(request),
  onAudited: (entry) => {
    request.logFields = { ...request.logFields, audit: context.loggedAudit(entry) };
  },
});

const nameOf = (request: FastifyRequest<{ Params: { id: string } }>): EndpointName => ({
  account: accountOf(request),
  id: request.params.id,
});

async function webhookRules({ store, statuses, webhooks }: WebhookContext): Promise<WebhookRules> {
  const rulesOfDeliverer = await store.readWebhookRules();
  return { statuses, explainUrl: (url) => webhooks.explainUrl(url, rulesOfDeliverer) };
}

/** The latest sequence number is read after the endpoint, so it is never below the endpoint's position. */
async function webhookBody(store: WebhookManagement['store'], endpoint: ListedWebhook): Promise<WebhookBody> {
  return { ...formatWebhook(endpoint), headSequence: await readHead(store, endpoint.account) };
}

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

const SEQUENCE: PathParameter = {
  schema: Type.String({
    description: 'The sequence number of a change, as the list of failures shows it.',
    examples: ['7'],
  }),
  isValid: isSequenceText,
  absent: 'The account has no endpoint with this id that has a failure with this sequence number.',
};

const listWebhookFailuresOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'listWebhookFailures',
    path: `${WEBHOOK_PATH}/failures`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'List failures',
    description:
      'Changes that could not be delivered, in the order of their sequence numbers. The change feed has the changes themselves.',
  },
  pathParameters: { id: WEBHOOK_ID },
  query: PAGE_QUERY,
  responses: {
    200: jsonResponse(
      'A page of failures.',
      Type.Ref(WebhookFailurePageSchema),
      EXAMPLES.failures,
      PAGE_HEADERS,
    ),
  },
  handler:
    (context: WebhookContext & PageContext) =>
    async (request, reply): Promise<WebhookFailurePageBody> => {
      const { store } = context;
      const account = accountOf(request);
      const { id } = request.params;
      const page = await readPage(context, request.query, reply, {
        name: `failures of ${account} ${id}`,
        pageItems: FAILURES_OF_PAGE,
        read: async (place: readonly [number] | null, limit) => {
          if ((await store.findWebhook(account, id)) === undefined) throw notFound(WEBHOOK_ID);
          return store.listWebhookFailures(account, id, place?.[0] ?? 0, limit);
        },
        positionOf: ({ sequence }) => [sequence] as const,
      });
      request.logFields = { count: page.data.length };
      return { ...page, data: page.data.map(formatFailure) };
    },
});

const retryWebhookFailureOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'retryWebhookFailure',
    path: `${WEBHOOK_PATH}/failures/:sequence/retry`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Retry a failure',
    description:
      'The change is delivered again within seconds, unless the endpoint is disabled. The failure is listed until the delivery succeeds.',
  },
  pathParameters: { id: WEBHOOK_ID, sequence: SEQUENCE },
  responses: { 202: emptyResponse('The failure is due now.') },
  handler:
    ({ store, now }: WebhookContext) =>
    async (request, reply) => {
      const { id } = request.params;
      const sequence = Number(request.params.sequence);
      request.logFields = { sequence };
      const isDue = await store.retryWebhookFailure(accountOf(request), id, sequence, now());
      if (!isDue) throw notFound(SEQUENCE);
      return reply.code(202).send();
    },
});

const testWebhookOperation = defineOperation({
  method: 'POST',
  public: {
    id: 'testWebhook',
    path: `${WEBHOOK_PATH}/test`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Test an endpoint',
    description:
      'Sends an event of the type webhook.test at once, also to a disabled endpoint, and waits for the receiver, at most 15 seconds. It is not retried.',
  },
  pathParameters: { id: WEBHOOK_ID },
  responses: {
    200: jsonResponse('The response of the receiver.', Type.Ref(WebhookTestSchema), EXAMPLES.webhookTest),
  },
  problems: ['too_many_tests'],
  handler: ({ store, stopping, webhooks, now, monotonicMs, randomBytes }: WebhookContext) => {
    const slots = testSlots();
    const parts = { send: webhooks.send, now, monotonicMs, randomBytes };
    return async (request, reply) => {
      const account = accountOf(request);
      const endpoint = await store.findWebhook(account, request.params.id);
      if (endpoint === undefined) throw notFound(WEBHOOK_ID);
      const send = async () => {
        const beganAtMs = monotonicMs();
        try {
          return await withoutTimeLimit(reply, async (left) => {
            const sent = await sendTest(parts, endpoint, AbortSignal.any([left, stopping]));
            if (!sent.delivered) left.throwIfAborted();
            return sent;
          });
        } finally {
          request.waitedMs += monotonicMs() - beganAtMs;
          request.logFields = { waitedMs: Math.round(request.waitedMs * 1000) / 1000 };
        }
      };
      if (stopping.aborted) throw new Unavailable('service_stopping');
      const result = await slots.run(account, 'tests_limit', send);
      request.logFields = { ...request.logFields, delivered: result.delivered };
      if (stopping.aborted && !result.delivered) throw new Unavailable('service_stopping');
      if (result.delivered) webhooks.onTestDelivered?.(endpoint);
      return result;
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
