import { capability } from '../capability.ts';
import { WEBHOOK_OPERATIONS } from './http/operations.ts';
import { createWebhookMetrics } from './http/webhook-metrics.ts';

export const WEBHOOKS = capability({
  operations: WEBHOOK_OPERATIONS,
  metrics: createWebhookMetrics,
});
