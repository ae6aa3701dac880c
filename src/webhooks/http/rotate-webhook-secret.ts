import { accountOf } from '../../http/access/authenticate.ts';
import { defineOperation } from '../../http/operations/operation.ts';
import { notFound } from '../../http/operations/path-parameter.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { rotateWebhookSecret as rotate } from '../manage-webhooks.ts';
import { WEBHOOK_ID, WEBHOOK_PATH, type WebhookContext } from './webhook-context.ts';
import { ROTATED_SECRET_EXAMPLES } from './webhook-examples.ts';
import { WEBHOOK_PROBLEM_EXAMPLES as problemExamples } from './webhook-problem-examples.ts';
import { RotatedSecret } from './webhook-schemas.ts';

export const rotateWebhookSecret = defineOperation({
  method: 'POST',
  public: {
    id: 'rotateWebhookSecret',
    path: `${WEBHOOK_PATH}/rotate-secret`,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Give an endpoint a new secret',
    description:
      'For 24 hours, webhooks are signed with the new secret and with the one before, so that the receiver can be changed meanwhile. A second rotation in this time ends ' +
      'the first secret at once: webhooks that the receiver then refuses are sent again later.',
  },
  pathParameters: { webhookId: WEBHOOK_ID },
  responses: { 200: jsonResponse('The secret.', Type.Ref(RotatedSecret), ROTATED_SECRET_EXAMPLES) },
  problemExamples,
  handler: (context: WebhookContext) => async (request) => {
    const rotated = await rotate(context, accountOf(request), request.params.webhookId);
    if (rotated?.previousSecret == null) throw notFound(WEBHOOK_ID);
    return { secret: rotated.secret, previousSecretUntil: formatTimestamp(rotated.previousSecret.untilMs) };
  },
});
