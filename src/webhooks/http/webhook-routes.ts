import type { FastifyInstance } from 'fastify';
import { jsonOperations } from '../../http/server/request-bodies.ts';
import { changeWebhookRoute, deleteWebhookRoute } from './change-webhook.ts';
import { createWebhookRoute } from './create-webhook.ts';
import { listWebhooksRoute, retrieveWebhookRoute } from './read-webhooks.ts';
import { replayWebhookRoute } from './replay-webhook.ts';
import { rotateWebhookSecretRoute } from './rotate-webhook-secret.ts';
import { testWebhookRoute } from './test-webhook.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';
import { listWebhookFailuresRoute, retryWebhookFailureRoute } from './webhook-failures.ts';

/** The operations on an account's endpoints, as the commands `webhooks ...` have them. */
export function webhookRoutes(app: FastifyInstance, dependencies: WebhookDependencies): void {
  jsonOperations(app, (scope) => {
    createWebhookRoute(scope, dependencies);
    changeWebhookRoute(scope, dependencies);
    replayWebhookRoute(scope, dependencies);
  });
  listWebhooksRoute(app, dependencies);
  retrieveWebhookRoute(app, dependencies);
  deleteWebhookRoute(app, dependencies);
  testWebhookRoute(app, dependencies);
  rotateWebhookSecretRoute(app, dependencies);
  listWebhookFailuresRoute(app, dependencies);
  retryWebhookFailureRoute(app, dependencies);
}
