import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { emptyResponse, jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { changeWebhook } from '../manage-webhooks.ts';
import { parseWebhookChanges } from '../webhook-fields.ts';
import {
  BODY_PROBLEMS,
  type JsonBody,
  requireBody,
  requireFields,
  UNREAD_BODY_PROBLEMS,
  WEBHOOK_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookBody,
  webhookProblems,
} from './webhook-dependencies.ts';
import { DISABLED_WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { Webhook, type WebhookBody, WebhookChangesRequest } from './webhook-schemas.ts';

export function changeWebhookRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.patch<{ Params: WebhookPath; Body: JsonBody }>(WEBHOOK_PATH, {
    onRequest: dependencies.authenticate('webhooks'),
    schema: {
      operationId: 'changeWebhook',
      tags: ['webhooks'],
      summary: 'Change, disable or enable an endpoint',
      description:
        'A field that is absent stays as it is. A disabled endpoint keeps its place: enabled again, it gets the changes in between.',
      params: pathSchema('webhookId'),
      body: Type.Ref(WebhookChangesRequest),
      response: {
        200: jsonResponse('The endpoint.', Type.Ref(Webhook), DISABLED_WEBHOOK_EXAMPLES, rateLimitHeaders),
        ...webhookProblems(...BODY_PROBLEMS, 'not_found'),
      },
    },
    handler: async (request): Promise<WebhookBody> => {
      const changes = requireFields(parseWebhookChanges(requireBody(request.body), dependencies.rules));
      const { account } = callerOf(request);
      const changed = await changeWebhook(dependencies, account, request.params.webhookId, changes);
      if (changed === undefined) throw notFound('webhookId');
      return webhookBody(dependencies.store, changed);
    },
  });
}

export function deleteWebhookRoute(app: FastifyInstance, { store, authenticate }: WebhookDependencies): void {
  app.delete<{ Params: WebhookPath }>(WEBHOOK_PATH, {
    onRequest: authenticate('webhooks'),
    schema: {
      operationId: 'deleteWebhook',
      tags: ['webhooks'],
      summary: 'Delete an endpoint',
      description: 'With its failures. Attempts that have begun can still arrive.',
      params: pathSchema('webhookId'),
      response: {
        204: emptyResponse('The endpoint is deleted.', rateLimitHeaders),
        ...webhookProblems(...UNREAD_BODY_PROBLEMS, 'not_found'),
      },
    },
    handler: async (request, reply) => {
      const isDeleted = await store.deleteWebhook(callerOf(request).account, request.params.webhookId);
      if (!isDeleted) throw notFound('webhookId');
      return reply.code(204).send();
    },
  });
}
