import { Unavailable } from '../../../values/unavailable.ts';
import { EXAMPLES } from '../../http/examples.ts';
import { accountOf, defineOperation } from '../../http/operations/operation.ts';
import { notFound } from '../../http/operations/parameters.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../http/server/long-request.ts';
import { testWebhook as sendTest } from '../test-webhook.ts';
import { WEBHOOK_ID, WEBHOOK_PATH, type WebhookContext } from './webhook-context.ts';
import { WebhookTestSchema } from './webhook-schemas.ts';

export const testWebhookOperation = defineOperation({
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
  handler: (context: WebhookContext) => async (request, reply) => {
    const { store, tests, webhooks, now, monotonicMs, randomBytes } = context;
    const account = accountOf(request);
    const endpoint = await store.findWebhook(account, request.params.id);
    if (endpoint === undefined) throw notFound(WEBHOOK_ID);
    const parts = { send: webhooks.send, now, monotonicMs, randomBytes };
    const send = async () => {
      const beganAtMs = monotonicMs();
      try {
        return await withoutTimeLimit(reply, async (left) => {
          const sent = await sendTest(parts, endpoint, AbortSignal.any([left, tests.stopSignal]));
          if (!sent.delivered) left.throwIfAborted();
          return sent;
        });
      } finally {
        request.waitedMs += monotonicMs() - beganAtMs;
        request.logFields = { waitedMs: Math.round(request.waitedMs * 1000) / 1000 };
      }
    };
    const result = await tests.run(account, send);
    request.logFields = { ...request.logFields, delivered: result.delivered };
    if (tests.stopSignal.aborted && !result.delivered) throw new Unavailable('service_stopping');
    if (result.delivered) webhooks.onTestDelivered?.(endpoint);
    return result;
  },
});
