import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import { jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { formatWebhook } from '../format-webhook.ts';
import { createWebhook, MAX_WEBHOOKS } from '../manage-webhooks.ts';
import { parseNewWebhook } from '../webhook-fields.ts';
import {
  BODY_PROBLEMS,
  type JsonBody,
  requireBody,
  requireFields,
  WEBHOOKS_PATH,
  type WebhookDependencies,
  webhookProblems,
} from './webhook-dependencies.ts';
import { CREATED_WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { CreatedWebhook, type CreatedWebhookBody, WebhookRequest } from './webhook-schemas.ts';

export function createWebhookRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.post<{ Body: JsonBody }>(WEBHOOKS_PATH, {
    onRequest: dependencies.authenticate('webhooks'),
    schema: {
      operationId: 'createWebhook',
      tags: ['webhooks'],
      summary: 'Create an endpoint',
      description:
        `The changes that are recorded from now on are delivered to its URL; a replay after 0 delivers the earlier ones too. An account has at most ${MAX_WEBHOOKS} endpoints. ` +
        'The secret is shown in this response only. After a lost response, list the endpoints and delete the one whose secret you do not have.',
      body: Type.Ref(WebhookRequest),
      response: {
        201: jsonResponse(
          'The endpoint, with its secret.',
          Type.Ref(CreatedWebhook),
          CREATED_WEBHOOK_EXAMPLES,
          rateLimitHeaders,
        ),
        ...webhookProblems(...BODY_PROBLEMS, 'too_many_webhooks'),
      },
    },
    handler: async (request, reply) => {
      const fields = requireFields(parseNewWebhook(requireBody(request.body), dependencies.rules));
      const created = await createWebhook(dependencies, callerOf(request).account, fields);
      request.logFields = { webhookId: created.id };
      const body: CreatedWebhookBody = {
        ...formatWebhook({ ...created, failures: 0 }),
        headSequence: created.acknowledgedSequence,
        secret: created.secret,
      };
      return reply.code(201).send(body);
    },
  });
}
