import { EXAMPLES } from '../../http/examples.ts';
import { accountOf, defineOperation, requireBody } from '../../http/operations/operation.ts';
import { notFound } from '../../http/operations/parameters.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { replayWebhook as replay } from '../manage-webhooks.ts';
import { parseReplay } from '../webhook-fields.ts';
import {
  managementOf,
  requireFields,
  WEBHOOK_ID,
  WEBHOOK_PATH,
  type WebhookContext,
  webhookBody,
} from './webhook-context.ts';
import { ReplayRequestSchema, type WebhookBody, WebhookSchema } from './webhook-schemas.ts';

export const replayWebhookOperation = defineOperation({
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
      const { after } = requireFields(parseReplay(requireBody(request.body)));
      request.logFields = { after };
      const replayed = await replay(
        managementOf(context, request),
        accountOf(request),
        request.params.id,
        after,
      );
      if (replayed === undefined) throw notFound(WEBHOOK_ID);
      return webhookBody(context.store, replayed);
    },
});
