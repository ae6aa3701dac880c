import { sendSettings } from '../../client/src/client-options.ts';
import { createSend } from '../../client/src/send.ts';
import type {
  WebhookEndpoint,
  WebhookFailurePage,
  WebhookTestResult,
} from '../../client/src/webhook-endpoint.ts';
import { Webhooks } from '../../client/src/webhooks.ts';

export interface WebhookOverview {
  webhooks: readonly WebhookEndpoint[];
  /** By the clock of this device. */
  loadedAt: string;
}

/** What the screen requests from the service. */
export interface WebhookApi {
  overview(signal: AbortSignal): Promise<WebhookOverview>;
  failures(id: string, cursor: string | null, signal: AbortSignal): Promise<WebhookFailurePage>;
  enable(id: string): Promise<WebhookEndpoint>;
  test(id: string): Promise<WebhookTestResult>;
  retry(id: string, sequence: number): Promise<void>;
}

export function connectWebhooks(apiKey: string): WebhookApi {
  const webhooksWith = (maxRetries: number) =>
    new Webhooks(
      createSend(sendSettings({ url: location.origin, apiKey, maxRetries, maxRetryAfterMs: 2000 })),
    );
  const reading = webhooksWith(1);
  // Without retries: the user sees a failure, and decides.
  const writing = webhooksWith(0);
  return {
    overview: async (signal) => {
      const webhooks = await reading.list({ signal });
      return { webhooks, loadedAt: new Date().toISOString() };
    },
    failures: (id, cursor, signal) => reading.failurePage(id, { cursor }, { signal }),
    enable: (id) => writing.update(id, { state: 'enabled' }),
    test: (id) => writing.test(id),
    retry: (id, sequence) => writing.retryFailure(id, sequence),
  };
}
