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

/**
 * Remembers the last change that this process delivered to each endpoint. Logs the changes that the database
 * has lost, even if another instance delivers now.
 */
export class LostDeliveries {
  readonly #options: LostDeliveriesOptions;
  readonly #lasts = new Map<string, LastDelivery>();

  constructor(options: LostDeliveriesOptions) {
    this.#options = options;
  }

  note({ account, id }: EndpointName, { sequence, nonce }: NumberedNonce): void {
    // Deleted first, so that the endpoint moves to the end of the map.
    this.#lasts.delete(id);
    this.#lasts.set(id, { account, id, sequence, nonce, atMs: performance.now() });
    const [oldest] = this.#lasts.keys();
    if (oldest !== undefined && this.#lasts.size > MAX_ENDPOINTS) this.#lasts.delete(oldest);
  }

  /** Logs each endpoint once. Rejects if the database does not respond. */
  async check(signal: AbortSignal): Promise<void> {
    const { store, logger, metrics } = this.#options;
    const nowMs = performance.now();
    for (const [account, lasts] of Map.groupBy(this.#lasts.values(), (last) => last.account)) {
      if (signal.aborted) return;
      const changes = lasts.map(({ atMs, ...change }) => ({ ...change, ageMs: nowMs - atMs }));
      for (const place of await store.findMissingChanges(account, changes)) {
        const { id, sequence, nonce } = lasts[place] as LastDelivery;
        if (this.#lasts.get(id)?.nonce === nonce) this.#lasts.delete(id);
        metrics.countAhead();
        logger.error(
          { account, webhookId: id, sequence, changeId: changeId(account, { sequence, nonce }) },
          'a webhook received changes that the database has lost: notify its receiver',
        );
      }
    }
    logger.flush();
  }
}
