import type { Logger } from 'pino';
import { type ChangeReader, changeId, type NumberedNonce } from '../ledger/changes/change.ts';
import type { WebhookMetrics } from '../webhooks/http/webhook-metrics.ts';
import type { EndpointName } from '../webhooks/webhook.ts';

interface LostDeliveriesOptions {
  store: Pick<ChangeReader, 'findMissingChanges'>;
  logger: Pick<Logger, 'error' | 'flush'>;
  metrics: Pick<WebhookMetrics, 'countAhead'>;
}

interface LastDelivery extends EndpointName, NumberedNonce {
  atMs: number;
}

const MAX_ENDPOINTS = 10_000;

export type LostDeliveries = ReturnType<typeof lostDeliveries>;

/** Notes the last change that each endpoint received. `check` logs noted changes that the database lost. */
export function lostDeliveries({ store, logger, metrics }: LostDeliveriesOptions) {
  const lasts = new Map<string, LastDelivery>();
  return {
    note({ account, id }: EndpointName, { sequence, nonce }: NumberedNonce): void {
      // The entry is deleted first, so that the endpoint moves to the end of the map.
      lasts.delete(id);
      lasts.set(id, { account, id, sequence, nonce, atMs: performance.now() });
      const [oldest] = lasts.keys();
      if (oldest !== undefined && lasts.size > MAX_ENDPOINTS) lasts.delete(oldest);
    },

    async check(signal: AbortSignal): Promise<void> {
      const nowMs = performance.now();
      for (const [account, deliveries] of Map.groupBy(lasts.values(), (last) => last.account)) {
        if (signal.aborted) return;
        const changes = deliveries.map(({ atMs, ...change }) => ({ ...change, ageMs: nowMs - atMs }));
        for (const place of await store.findMissingChanges(account, changes)) {
          const { id, sequence, nonce } = deliveries[place] as LastDelivery;
          if (lasts.get(id)?.nonce === nonce) lasts.delete(id);
          metrics.countAhead();
          logger.error(
            { account, webhookId: id, sequence, changeId: changeId(account, { sequence, nonce }) },
            'a webhook received changes that the database has lost: notify its receiver',
          );
        }
      }
      logger.flush();
    },
  };
}
