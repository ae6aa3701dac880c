import { accountOf } from '../../http/access/authenticate.ts';
import { defineOperation } from '../../http/operations/operation.ts';
import { notFound } from '../../http/operations/path-parameter.ts';
import { emptyResponse, jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { changeWebhook as change } from '../manage-webhooks.ts';
import { parseWebhookChanges } from '../webhook-fields.ts';
import {
  requireBody,
  requireFields,
  rulesOf,
  WEBHOOK_ID,
  WEBHOOK_PATH,
  type WebhookContext,
  webhookBody,
} from './webhook-context.ts';
import { DISABLED_WEBHOOK_EXAMPLES } from './webhook-examples.ts';
import { WEBHOOK_PROBLEM_EXAMPLES as problemExamples } from './webhook-problem-examples.ts';
import { Webhook, type WebhookBody, WebhookChangesRequest } from './webhook-schemas.ts';

export const changeWebhook = defineOperation({
  method: 'PATCH',
  public: {
    id: 'changeWebhook',
    path: WEBHOOK_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Change, disable or enable an endpoint',
    description:
      'A field that is absent stays as it is. A disabled endpoint keeps its place: enabled again, it gets the changes in between.',
  },
  pathParameters: { webhookId: WEBHOOK_ID },
  body: { type: 'application/json', schema: Type.Ref(WebhookChangesRequest) },
  responses: { 200: jsonResponse('The endpoint.', Type.Ref(Webhook), DISABLED_WEBHOOK_EXAMPLES) },
  problemExamples,
  handler: (context: WebhookContext) => {
    const rules = rulesOf(context);

    return async (request): Promise<WebhookBody> => {
      const changes = requireFields(parseWebhookChanges(requireBody(request.body), rules));
      const changed = await change(context, accountOf(request), request.params.webhookId, changes);
      if (changed === undefined) throw notFound(WEBHOOK_ID);
      return webhookBody(context.store, changed);
    };
  },
});

export const deleteWebhook = defineOperation({
  method: 'DELETE',
  public: {
    id: 'deleteWebhook',
    path: WEBHOOK_PATH,
    access: 'webhooks',
    tag: 'webhooks',
    summary: 'Delete an endpoint',
    description: 'With its failures. Attempts that have begun can still arrive.',
  },
  pathParameters: { webhookId: WEBHOOK_ID },
  responses: { 204: emptyResponse('The endpoint is deleted.') },
  problemExamples,
  handler:
    ({ store }: WebhookContext) =>
    async (request, reply) => {
      const isDeleted = await store.deleteWebhook(accountOf(request), request.params.webhookId);
      if (!isDeleted) throw notFound(WEBHOOK_ID);
      return reply.code(204).send();
    },
});
