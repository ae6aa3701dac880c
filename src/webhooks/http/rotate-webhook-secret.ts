import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { rotateWebhookSecret } from '../manage-webhooks.ts';
import {
  UNREAD_BODY_PROBLEMS,
  WEBHOOK_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookProblems,
} from './webhook-dependencies.ts';
import { ROTATED_SECRET_EXAMPLES } from './webhook-examples.ts';
import { RotatedSecret } from './webhook-schemas.ts';

export function rotateWebhookSecretRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.post<{ Params: WebhookPath }>(`${WEBHOOK_PATH}/rotate-secret`, {
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
