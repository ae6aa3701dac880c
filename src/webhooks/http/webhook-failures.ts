import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import type { QueryParameters } from '../../http/parse-query.ts';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { refuseFaulty } from '../../http/problems/problem.ts';
import { emptyResponse, jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { FaultList } from '../../values/fault-list.ts';
import { FAILURE_FAULT_CODES, type FailureFault, readFailureRequest } from '../failure-query.ts';
import { formatFailure } from '../format-webhook.ts';
import {
  UNREAD_BODY_PROBLEMS,
  WEBHOOK_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookProblems,
} from './webhook-dependencies.ts';
import { FAILURE_EXAMPLES } from './webhook-examples.ts';
import { listFailuresQuery, WebhookFailurePage, type WebhookFailurePageBody } from './webhook-schemas.ts';

export function listWebhookFailuresRoute(
  app: FastifyInstance,
  { store, authenticate }: WebhookDependencies,
): void {
  app.get<{ Params: WebhookPath; Querystring: QueryParameters }>(`${WEBHOOK_PATH}/failures`, {
    onRequest: authenticate('webhooks'),
    schema: {
      operationId: 'listWebhookFailures',
      tags: ['webhooks'],
      summary: 'List the changes that could not be delivered to an endpoint',
      description:
        'In the order of their sequence numbers. To continue, send the last sequence as after. The change feed has the changes themselves.',
      params: pathSchema('webhookId'),
      querystring: listFailuresQuery,
      response: {
        200: jsonResponse(
          'A page of failures.',
          Type.Ref(WebhookFailurePage),
          FAILURE_EXAMPLES,
          rateLimitHeaders,
        ),
        ...webhookProblems(...FAILURE_FAULT_CODES, 'not_found'),
      },
    },
    handler: async (request): Promise<WebhookFailurePageBody> => {
      const faults = new FaultList<FailureFault>();
      const { after, limit } = readFailureRequest(request.query, faults);
      refuseFaulty(request.query, faults);
      const { account } = callerOf(request);
      const { webhookId } = request.params;
      if ((await store.findWebhook(account, webhookId)) === undefined) throw notFound('webhookId');
      const failures = await store.listWebhookFailures(account, webhookId, after, limit + 1);
      const listed = failures.slice(0, limit);
      request.logFields = { after, count: listed.length };
      return { data: listed.map(formatFailure), hasMore: failures.length > limit };
    },
  });
}

export function retryWebhookFailureRoute(
  app: FastifyInstance,
  { store, now, authenticate }: WebhookDependencies,
): void {
  app.post<{ Params: WebhookPath & { sequence: string } }>(`${WEBHOOK_PATH}/failures/:sequence/retry`, {
    onRequest: authenticate('webhooks'),
    schema: {
      operationId: 'retryWebhookFailure',
      tags: ['webhooks'],
      summary: 'Retry a failure now',
      description:
        'The change is delivered again within seconds, unless the endpoint is disabled. The failure is listed until that succeeds.',
      params: pathSchema('webhookId', 'sequence'),
      response: {
        202: emptyResponse('The failure is due now.', rateLimitHeaders),
        ...webhookProblems(...UNREAD_BODY_PROBLEMS, 'not_found'),
      },
    },
    handler: async (request, reply) => {
      const { account } = callerOf(request);
      const { webhookId, sequence } = request.params;
      request.logFields = { sequence: Number(sequence) };
      const isDue = await store.retryWebhookFailure(account, webhookId, Number(sequence), now());
      if (!isDue) throw notFound('sequence');
      return reply.code(202).send();
    },
  });
}
