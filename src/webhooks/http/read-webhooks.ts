import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { readHead } from '../../ledger/changes/read-head.ts';
import { formatWebhook } from '../format-webhook.ts';
import {
  WEBHOOK_PATH,
  WEBHOOKS_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookBody,
  webhookProblems,
} from './webhook-dependencies.ts';
import { LISTED_WEBHOOKS_EXAMPLES, WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { Webhook, type WebhookBody, WebhookList } from './webhook-schemas.ts';

export function listWebhooksRoute(app: FastifyInstance, { store, authenticate }: WebhookDependencies): void {
  app.get(WEBHOOKS_PATH, {
    onRequest: authenticate('webhooks'),
    schema: {
      operationId: 'listWebhooks',
      tags: ['webhooks'],
      summary: 'List the endpoints of the account',
      description: 'Oldest first, without their secrets.',
      response: {
        200: jsonResponse(
          'The endpoints.',
          Type.Ref(WebhookList),
          LISTED_WEBHOOKS_EXAMPLES,
          rateLimitHeaders,
        ),
        ...webhookProblems(),
      },
    },
    handler: async (request): Promise<{ data: WebhookBody[] }> => {
      const { account } = callerOf(request);
      const endpoints = await store.listWebhooks(account);
      request.logFields = { count: endpoints.length };
      if (endpoints.length === 0) return { data: [] };
      const headSequence = await readHead(store, account);
      return { data: endpoints.map((one) => ({ ...formatWebhook(one), headSequence })) };
    },
  });
}

export function retrieveWebhookRoute(
  app: FastifyInstance,
  { store, authenticate }: WebhookDependencies,
): void {
  app.get<{ Params: WebhookPath }>(WEBHOOK_PATH, {
    onRequest: authenticate('webhooks'),
    schema: {
      operationId: 'retrieveWebhook',
      tags: ['webhooks'],
      summary: 'Retrieve an endpoint',
      description: 'Without its secret. The lag of its deliveries is headSequence less acknowledgedSequence.',
      params: pathSchema('webhookId'),
      response: {
        200: jsonResponse('The endpoint.', Type.Ref(Webhook), WEBHOOK_EXAMPLES, rateLimitHeaders),
        ...webhookProblems('not_found'),
      },
    },
    handler: async (request): Promise<WebhookBody> => {
      const found = await store.findWebhook(callerOf(request).account, request.params.webhookId);
      if (found === undefined) throw notFound('webhookId');
      return webhookBody(store, found);
    },
  });
}
