import type { FastifyInstance } from 'fastify';
import { formatWebhook } from '../../../core/webhooks/format-webhook.ts';
import { createWebhook, MAX_WEBHOOKS } from '../../../core/webhooks/manage-webhooks.ts';
import { parseNewWebhook } from '../../../core/webhooks/webhook-fields.ts';
import { callerOf } from '../../access/authenticate.ts';
import { refuseParameters } from '../../no-parameters.ts';
import type { QueryParameters } from '../../parse-query.ts';
import { CREATED_WEBHOOK_EXAMPLES } from '../../reference/examples/webhooks.ts';
import { jsonResponse, rateLimitHeaders } from '../../schemas/responses.ts';
import { Type } from '../../schemas/type.ts';
import { CreatedWebhook, type CreatedWebhookBody, WebhookRequest } from '../../schemas/webhooks.ts';
import {
  BODY_PROBLEMS,
  type JsonBody,
  requireBody,
  requireFields,
  WEBHOOKS_PATH,
  type WebhookDependencies,
  webhookProblems,
} from './webhook-dependencies.ts';

export function createWebhookRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.post<{ Body: JsonBody; Querystring: QueryParameters }>(WEBHOOKS_PATH, {
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
      refuseParameters(request.query);
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
