import { sendSettings } from '../../client/src/client-options.ts';
import { createSend, type Send } from '../../client/src/send.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import type {
  WebhookEndpoint,
  WebhookFailurePage,
  WebhookTestResult,
} from '../../client/src/webhook-endpoint.ts';
import { Webhooks } from '../../client/src/webhooks.ts';
import { readChanges } from '../state/follow-feed.ts';

export interface WebhookOverview {
  webhooks: readonly WebhookEndpoint[];
  /** By the clock of this device. */
  loadedAt: string;
}

/** Failures, with the transactions of those changes that the key can read. */
export interface FailurePage extends WebhookFailurePage {
  transactions: ReadonlyMap<number, Transaction>;
}

/** What the screen requests from the service. */
export interface WebhookApi {
  overview(signal: AbortSignal): Promise<WebhookOverview>;
  failures(id: string, cursor: string | null, signal: AbortSignal): Promise<FailurePage>;
  enable(id: string): Promise<WebhookEndpoint>;
  test(id: string): Promise<WebhookTestResult>;
  retry(id: string, sequence: number): Promise<void>;
}

export function connectWebhooks(apiKey: string): WebhookApi {
  const sendWith = (maxRetries: number) =>
    createSend(sendSettings({ url: location.origin, apiKey, maxRetries, maxRetryAfterMs: 2000 }));
  const send = sendWith(1);
  const reading = new Webhooks(send);
  // Without retries: the user sees a failure, and decides.
  const writing = new Webhooks(sendWith(0));
  return {
    overview: async (signal) => {
      const webhooks = await reading.list({ signal });
      return { webhooks, loadedAt: new Date().toISOString() };
    },
    failures: async (id, cursor, signal) => {
      const page = await reading.failurePage(id, { cursor }, { signal });
      return { ...page, transactions: await transactionsOf(send, page, signal) };
    },
    enable: (id) => writing.update(id, { state: 'enabled' }),
    test: (id) => writing.test(id),
    retry: (id, sequence) => writing.retryFailure(id, sequence),
  };
}

/** As many changes as a request reads: failures are often near each other. */
const LIMIT = 100;

async function transactionsOf(
  send: Send,
  { data }: WebhookFailurePage,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Transaction>> {
  const found = new Map<number, Transaction>();
  try {
    for (const { sequence } of data) {
      if (found.has(sequence)) continue;
      const { data: changes } = await readChanges(send, { after: sequence - 1, limit: LIMIT }, signal);
      for (const change of changes) found.set(change.sequence, change.transaction);
    }
  } catch {
    // A key for webhooks alone, or changes that were archived: the failures are listed all the same.
  }
  return found;
}
