import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { type BodyFault, bodyFault } from '../../http/problems/body-fault.ts';
import { faultyFields, Problem } from '../../http/problems/problem.ts';
import { jsonResponse, rateLimitHeaders } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { FaultList } from '../../values/fault-list.ts';
import { sentence } from '../../values/sentence.ts';
import { ReplayRefused, replayWebhook } from '../manage-webhooks.ts';
import { parseReplay } from '../webhook-fields.ts';
import {
  BODY_PROBLEMS,
  type JsonBody,
  requireBody,
  requireFields,
  WEBHOOK_PATH,
  type WebhookDependencies,
  type WebhookPath,
  webhookBody,
  webhookProblems,
} from './webhook-dependencies.ts';
import { REPLAYED_WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { ReplayRequest, Webhook, type WebhookBody } from './webhook-schemas.ts';

export function replayWebhookRoute(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.post<{ Params: WebhookPath; Body: JsonBody }>(`${WEBHOOK_PATH}/replay`, {
    onRequest: dependencies.authenticate('webhooks'),
    schema: {
      operationId: 'replayWebhook',
      tags: ['webhooks'],
      summary: 'Deliver changes to an endpoint again',
      description:
        'All changes after a sequence number, in their order, with the same webhook-id as before. Failures after it are removed, because their changes are delivered again too.',
      params: pathSchema('webhookId'),
      body: Type.Ref(ReplayRequest),
      response: {
        200: jsonResponse('The endpoint.', Type.Ref(Webhook), REPLAYED_WEBHOOK_EXAMPLES, rateLimitHeaders),
        ...webhookProblems(...BODY_PROBLEMS, 'not_found', 'sequence_ahead'),
      },
    },
    handler: async (request): Promise<WebhookBody> => {
      const { after } = requireFields(parseReplay(requireBody(request.body)));
      const { account } = callerOf(request);
      request.logFields = { after };
      const replayed = await replayWebhook(dependencies, account, request.params.webhookId, after).catch(
        (error: unknown) => {
          throw error instanceof ReplayRefused ? problemOfReplay(error) : error;
        },
      );
      if (replayed === undefined) throw notFound('webhookId');
      return webhookBody(dependencies.store, replayed);
    },
  });
}

function problemOfReplay({ isAhead, detail, headSequence }: ReplayRefused): Problem {
  const fault = bodyFault({ field: 'after', code: isAhead ? 'sequence_ahead' : 'invalid_value', detail });
  if (isAhead) {
    const options = { fieldErrors: [fault], headSequence };
    return new Problem('sequence_ahead', sentence(`${fault.pointer} ${detail}`), options);
  }
  const faults = new FaultList<BodyFault>();
  faults.add(fault);
  return faultyFields(faults);
}
