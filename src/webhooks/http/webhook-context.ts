import type { FastifyRequest } from 'fastify';
import type { StatusNames } from '../../../values/status.ts';
import type { AuditContext } from '../../audit/http/request-origin.ts';
import { accountOf, type Context } from '../../http/operations/operation.ts';
import type { PathParameter } from '../../http/operations/parameters.ts';
import { Type } from '../../http/schemas/type.ts';
import { readHead } from '../../ledger/changes/changes.ts';
import type { WebhookManagement } from '../manage-webhooks.ts';
import type { Send } from '../send.ts';
import type { RunningTests } from '../test-webhook.ts';
import {
  type EndpointName,
  formatWebhook,
  isWebhookId,
  type ListedWebhook,
  WEBHOOK_ID_FORM,
} from '../webhook.ts';
import type { WebhookRules } from '../webhook-fields.ts';
import type { WebhookBody } from './webhook-schemas.ts';

export interface WebhookSending {
  send: Send;
  explainUrl: (url: string, rules?: string) => string | undefined;
  onTestDelivered?: (endpoint: EndpointName) => void;
}

export interface WebhookContext extends Context<WebhookManagement['store']>, AuditContext {
  statuses: StatusNames;
  webhooks: WebhookSending;
  tests: RunningTests;
}

export const WEBHOOKS_PATH = '/v1/webhooks';
export const WEBHOOK_PATH = `${WEBHOOKS_PATH}/:id`;

export const WEBHOOK_ID: PathParameter = {
  schema: Type.String({
    description: 'As the list of endpoints shows it.',
    pattern: WEBHOOK_ID_FORM,
    examples: ['we_0123456789abcdef'],
  }),
  isValid: isWebhookId,
  absent: 'The account has no endpoint with this id.',
  logName: 'webhookId',
};

export const managementOf = (context: WebhookContext, request: FastifyRequest): WebhookManagement => ({
  ...context,
  stamp: () => context.auditStamp(request),
  onAudited: (entry) => {
    request.logFields = { ...request.logFields, audit: context.loggedAudit(entry) };
  },
});

export const nameOf = (request: FastifyRequest<{ Params: { id: string } }>): EndpointName => ({
  account: accountOf(request),
  id: request.params.id,
});

export async function webhookRules({ store, statuses, webhooks }: WebhookContext): Promise<WebhookRules> {
  const rulesOfDeliverer = await store.readWebhookRules();
  return { statuses, explainUrl: (url) => webhooks.explainUrl(url, rulesOfDeliverer) };
}

/** The latest sequence number is read after the endpoint, so it is never below the endpoint's position. */
export async function webhookBody(
  store: WebhookManagement['store'],
  endpoint: ListedWebhook,
): Promise<WebhookBody> {
  return { ...formatWebhook(endpoint), headSequence: await readHead(store, endpoint.account) };
}
