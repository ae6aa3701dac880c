import { accountOf } from '../../http/access/authenticate.ts';
import { defineOperation } from '../../http/operations/operation.ts';
import { Problem } from '../../http/problems/problem.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { formatWebhook } from '../format-webhook.ts';
import { createWebhook as create, MAX_WEBHOOKS, TooManyWebhooks } from '../manage-webhooks.ts';
import { parseNewWebhook } from '../webhook-fields.ts';
import {
  requireBody,
  requireFields,
  rulesOf,
  WEBHOOKS_PATH,
  type WebhookContext,
} from './webhook-context.ts';
import { CREATED_WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { WEBHOOK_PROBLEM_EXAMPLES as problemExamples } from './webhook-problem-examples.ts';
import { WEBHOOK_PROBLEMS } from './webhook-problems.ts';
import { CreatedWebhook, type CreatedWebhookBody, WebhookRequest } from './webhook-schemas.ts';

export const createWebhook = defineOperation({
  method: 'POST',
  public: {
    id: 'createWebhook',
    path: WEBHOOKS_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Create an endpoint',
    description:
      `The changes that are recorded from now on are delivered to its URL; a replay after 0 delivers the earlier ones too. An account has at most ${MAX_WEBHOOKS} endpoints. ` +
      'The secret is shown in this response only. After a lost response, list the endpoints and delete the one whose secret you do not have.',
  },
  body: { type: 'application/json', schema: Type.Ref(WebhookRequest) },
  responses: {
    201: jsonResponse('The endpoint, with its secret.', Type.Ref(CreatedWebhook), CREATED_WEBHOOK_EXAMPLES),
  },
  problems: [WEBHOOK_PROBLEMS.too_many_webhooks],
  problemExamples,
  problemOf: (error) =>
    error instanceof TooManyWebhooks
      ? new Problem(
          WEBHOOK_PROBLEMS.too_many_webhooks,
          `The account has ${MAX_WEBHOOKS} endpoints already. Delete one that is not used, or change it.`,
        )
      : undefined,
  handler: (context: WebhookContext) => {
    const rules = rulesOf(context);

    return async (request, reply) => {
      const fields = requireFields(parseNewWebhook(requireBody(request.body), rules));
      const created = await create(context, accountOf(request), fields);
      request.logFields = { webhookId: created.id };
      const body: CreatedWebhookBody = {
        ...formatWebhook({ ...created, failures: 0 }),
        headSequence: created.acknowledgedSequence,
        secret: created.secret,
      };
      return reply.code(201).send(body);
    };
  },
});
