import type { FastifyInstance } from 'fastify';
import { formatTimestamp } from '../../../core/calendar.ts';
import { rotateWebhookSecret } from '../../../core/webhooks/manage-webhooks.ts';
import { callerOf } from '../../access/authenticate.ts';
import { refuseParameters } from '../../no-parameters.ts';
import type { QueryParameters } from '../../parse-query.ts';
import { notFound, pathSchema } from '../../path-parameters.ts';
import { ROTATED_SECRET_EXAMPLES } from '../../reference/examples/webhooks.ts';
import { jsonResponse, rateLimitHeaders } from '../../schemas/responses.ts';
import { Type } from '../../schemas/type.ts';
import { RotatedSecret } from '../../schemas/webhooks.ts';
import {
  UNREAD_BODY_PROBLEMS,
  WEBHOOK_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookProblems,
} from './webhook-dependencies.ts';

export function rotateWebhookSecretRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.post<{ Params: WebhookPath; Querystring: QueryParameters }>(`${WEBHOOK_PATH}/rotate-secret`, {
    onRequest: dependencies.authenticate('webhooks'),
    schema: {
      operationId: 'rotateWebhookSecret',
      tags: ['webhooks'],
      summary: 'Give an endpoint a new secret',
      description:
        'For 24 hours, webhooks are signed with the new secret and with the one before, so that the receiver can be changed meanwhile. A second rotation in this time ends ' +
        'the first secret at once: webhooks that the receiver then refuses are sent again later.',
      params: pathSchema('webhookId'),
      response: {
        200: jsonResponse('The secret.', Type.Ref(RotatedSecret), ROTATED_SECRET_EXAMPLES, rateLimitHeaders),
        ...webhookProblems(...UNREAD_BODY_PROBLEMS, 'not_found'),
      },
    },
    handler: async (request) => {
      refuseParameters(request.query);
      const { account } = callerOf(request);
      const rotated = await rotateWebhookSecret(dependencies, account, request.params.webhookId);
      if (rotated?.previousSecret == null) throw notFound('webhookId');
      return {
        secret: rotated.secret,
        previousSecretUntil: formatTimestamp(rotated.previousSecret.untilMs),
      };
    },
  });
}
