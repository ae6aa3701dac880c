import { webhookChanged } from './audited-webhooks.ts';
import type { DeliveryDependencies } from './delivery/delivery-dependencies.ts';
import type { DisabledReason, WebhookEndpoint } from './webhook.ts';

/** Disables an endpoint that the service gives up. Returns whether it still had the version. */
export function disableWebhook(
  { store, now, stamp }: Pick<DeliveryDependencies, 'store' | 'now' | 'stamp'>,
  endpoint: WebhookEndpoint,
  reason: DisabledReason,
): Promise<boolean> {
  const { account, id, version } = endpoint;
  const disabled = { reason, atMs: now() };
  const entry = webhookChanged(endpoint, { ...endpoint, disabled }, stamp());
  return store.disableWebhook(account, id, version, disabled, entry);
}
