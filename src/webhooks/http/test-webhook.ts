import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { unavailable } from '../../http/problems/problem.ts';
import { jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { whileLong } from '../../http/server/long-request.ts';
import { type TestResult, testWebhook } from '../test-webhook.ts';
import {
  UNREAD_BODY_PROBLEMS,
  WEBHOOK_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookProblems,
} from './webhook-dependencies.ts';
import { WEBHOOK_TEST_EXAMPLES } from './webhook-examples.ts';
import { WebhookTest } from './webhook-schemas.ts';

export function testWebhookRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  const { store, tests, authenticate } = dependencies;
  app.post<{ Params: WebhookPath }>(`${WEBHOOK_PATH}/test`, {
    onRequest: authenticate('webhooks'),
    schema: {
      operationId: 'testWebhook',
      tags: ['webhooks'],
      summary: 'Send a test webhook to an endpoint',
      description:
        'Sends an event of the type webhook.test at once, also to a disabled endpoint, and waits for the receiver, at most 15 seconds. It is not retried.',
      params: pathSchema('webhookId'),
      response: {
        200: jsonResponse(
          'What the receiver answered.',
          Type.Ref(WebhookTest),
          WEBHOOK_TEST_EXAMPLES,
          rateLimitHeaders,
        ),
        ...webhookProblems(...UNREAD_BODY_PROBLEMS, 'not_found', 'too_many_tests'),
      },
    },
    handler: async (request, reply) => {
      const { account } = callerOf(request);
      const endpoint = await store.findWebhook(account, request.params.webhookId);
      if (endpoint === undefined) throw notFound('webhookId');
      const result = await tests.run(account, () =>
        whileWaiting(request, reply, dependencies, (left) =>
          testWebhook(dependencies, endpoint, AbortSignal.any([left, tests.stopSignal])),
        ),
      );
      request.logFields = { ...request.logFields, delivered: result.delivered };
      if (tests.stopSignal.aborted && !result.delivered) throw unavailable('The service stops.');
      if (result.delivered) dependencies.onTestDelivered(endpoint);
      return result;
    },
  });
}

/** Runs a test, which waits for the receiver. The signal is aborted when the caller has left. */
async function whileWaiting(
  request: FastifyRequest,
  reply: FastifyReply,
  { monotonicMs }: Pick<WebhookDependencies, 'monotonicMs'>,
  test: (left: AbortSignal) => Promise<TestResult>,
): Promise<TestResult> {
  const beganAtMs = monotonicMs();
  try {
    return await whileLong(reply, async (left) => {
      const result = await test(left);
      if (!result.delivered) left.throwIfAborted();
      return result;
    });
  } finally {
    request.waitedMs += monotonicMs() - beganAtMs;
    // With three decimals, as durationMs.
    request.logFields = { waitedMs: Math.round(request.waitedMs * 1000) / 1000 };
  }
}
