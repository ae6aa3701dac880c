import { createSend, type Send } from '../../client/src/send.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import type { WebhookFailurePage } from '../../client/src/webhook-endpoint.ts';
import { Webhooks } from '../../client/src/webhooks.ts';
import { MAX_ITEMS } from '../../values/interface/limits.ts';
import { nowMs } from '../state/clock.ts';
import { readChanges } from '../state/follow-feed.ts';
import { SOON, settingsOf } from '../state/settings.ts';

export type WebhookApi = ReturnType<typeof connectWebhooks>;

export function connectWebhooks(apiKey: string) {
  const send = createSend(settingsOf(apiKey, SOON));
  const reading = new Webhooks(send);
  // These requests are not retried, because the user sees the failure and decides.
  const writing = new Webhooks(createSend(settingsOf(apiKey, { maxRetries: 0 })));
  return {
    overview: async (signal: AbortSignal) => {
      const webhooks = await reading.list({ signal });
      return { webhooks, loadedAt: new Date(nowMs()).toISOString() };
    },
    failures: (id: string, cursor: string | null, signal: AbortSignal) =>
      reading.failurePage(id, { cursor }, { signal }),
    transactions: (page: WebhookFailurePage, signal: AbortSignal) => transactionsOf(send, page, signal),
    enable: (id: string) => writing.update(id, { state: 'enabled' }),
    test: (id: string) => writing.test(id),
    retry: (id: string, sequence: number) => writing.retryFailure(id, sequence),
  };
}

async function transactionsOf(
  send: Send,
  { data }: WebhookFailurePage,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Transaction>> {
  const found = new Map<number, Transaction>();
  try {
    for (const { sequence } of data) {
      if (found.has(sequence)) continue;
      // One request reads the changes of several failures, because their numbers are often close together.
      const near = data.findLast((failure) => failure.sequence < sequence + MAX_ITEMS)?.sequence ?? sequence;
      const query = { after: sequence - 1, limit: near - sequence + 1 };
      const { data: changes } = await readChanges(send, query, signal);
      for (const change of changes) found.set(change.sequence, change.transaction);
    }
  } catch {
    // Without the scope `read`, or if changes are archived, the failures are shown without transactions.
  }
  return found;
}
