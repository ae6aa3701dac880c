import { accountOf } from '../../http/access/authenticate.ts';
import { defineOperation } from '../../http/operations/operation.ts';
import { notFound } from '../../http/operations/path-parameter.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { readHead } from '../../ledger/changes/read-head.ts';
import { formatWebhook } from '../format-webhook.ts';
import {
  WEBHOOK_ID,
  WEBHOOK_PATH,
  WEBHOOKS_PATH,
  type WebhookContext,
  webhookBody,
} from './webhook-context.ts';
import { LISTED_WEBHOOKS_EXAMPLES, WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { WEBHOOK_PROBLEM_EXAMPLES as problemExamples } from './webhook-problem-examples.ts';
import { Webhook, type WebhookBody, WebhookList } from './webhook-schemas.ts';

export const listWebhooks = defineOperation({
  method: 'GET',
  public: {
    id: 'listWebhooks',
    path: WEBHOOKS_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'List the endpoints of the account',
    description: 'Oldest first, without their secrets.',
  },
  responses: { 200: jsonResponse('The endpoints.', Type.Ref(WebhookList), LISTED_WEBHOOKS_EXAMPLES) },
  problemExamples,
  handler:
    ({ store }: WebhookContext) =>
    async (request): Promise<{ data: WebhookBody[] }> => {
      const account = accountOf(request);
      const endpoints = await store.listWebhooks(account);
      request.logFields = { count: endpoints.length };
      if (endpoints.length === 0) return { data: [] };
      const headSequence = await readHead(store, account);
      return { data: endpoints.map((one) => ({ ...formatWebhook(one), headSequence })) };
    },
});

export const retrieveWebhook = defineOperation({
  method: 'GET',
  public: {
    id: 'retrieveWebhook',
    path: WEBHOOK_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Retrieve an endpoint',
    description: 'Without its secret. The lag of its deliveries is headSequence less acknowledgedSequence.',
  },
  pathParameters: { webhookId: WEBHOOK_ID },
  responses: { 200: jsonResponse('The endpoint.', Type.Ref(Webhook), WEBHOOK_EXAMPLES) },
  problemExamples,
  handler:
    ({ store }: WebhookContext) =>
    async (request): Promise<WebhookBody> => {
      const found = await store.findWebhook(accountOf(request), request.params.webhookId);
      if (found === undefined) throw notFound(WEBHOOK_ID);
      return webhookBody(store, found);
    },
});
