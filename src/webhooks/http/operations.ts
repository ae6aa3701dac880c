import { changeWebhook, deleteWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { listWebhooks, retrieveWebhook } from './read-webhooks.ts';
import { replayWebhook } from './replay-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { listWebhookFailures, retryWebhookFailure } from './webhook-failures.ts';

/** On an account's endpoints, as the commands `webhooks ...` have them. */
export const WEBHOOK_OPERATIONS = [
  listWebhooks,
  createWebhook,
  retrieveWebhook,
  deleteWebhook,
  changeWebhook,
  testWebhook,
  replayWebhook,
  rotateWebhookSecret,
  listWebhookFailures,
  retryWebhookFailure,
];
