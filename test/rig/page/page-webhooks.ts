import type { WebhookEndpoint, WebhookFailure } from '../../../src/webhooks/webhook.ts';
import { someEntry } from '../store/audit.ts';
import { failure, idOf, progress, webhook } from '../webhooks/webhooks.ts';
import type { PageWindow } from './browser.ts';

const TIMES = {
  firstFailedAtMs: Date.UTC(2026, 5, 14, 22, 30, 5),
  lastFailedAtMs: Date.UTC(2026, 5, 15, 7, 12, 44),
  nextAttemptAtMs: Date.UTC(2026, 5, 15, 12, 30),
};

let endpoints = 0;

export async function storeWebhook(
  { app: { store }, account }: PageWindow,
  fields: Partial<WebhookEndpoint> = {},
  failed: readonly WebhookFailure[] = [],
): Promise<string> {
  const { failingSinceMs = null, acknowledgedSequence = 0 } = fields;
  const id = idOf(++endpoints);
  const createdAtMs = Date.UTC(2026, 4, 2, 9, 15) + endpoints;
  await store.createWebhook(
    webhook(endpoints, { account, createdAtMs, ...fields, failingSinceMs: null }),
    20,
    someEntry(),
  );
  const reached = progress(acknowledgedSequence, { after: acknowledgedSequence, failingSinceMs, failed });
  await store.storeProgress(account, id, 1, reached);
  return id;
}

export function pageFailures(count: number, from = 1): WebhookFailure[] {
  return Array.from({ length: count }, (_, index) =>
    failure(from + index, {
      ...TIMES,
      attempts: 1 + (index % 10),
      ...(index % 10 === 9 && { nextAttemptAtMs: null }),
      ...(index % 2 === 0
        ? { responseStatus: 500, error: 'the receiver answered 500' }
        : { responseStatus: null, error: 'the receiver did not answer within 15 s' }),
    }),
  );
}
