import { webhookReplayed } from './audited-webhooks.ts';
import type { DeliveryDependencies, DeliveryStore, EndpointName } from './delivery/delivery-dependencies.ts';

/**
 * Moves an endpoint back to the last change of its account if it is beyond it, because an older state of the database was restored. Returns
 * the sequence number after which deliveries go on; undefined if the endpoint is removed, or was changed meanwhile.
 */
export async function moveBackToHead(
  {
    store,
    stamp,
  }: { store: Pick<DeliveryStore, 'findWebhook' | 'replaceWebhook'> } & Pick<DeliveryDependencies, 'stamp'>,
  { account, id }: EndpointName,
  headSequence: number,
): Promise<number | undefined> {
  const found = await store.findWebhook(account, id);
  if (found === undefined) return undefined;
  const { failureCount: _, ...stored } = found;
  if (stored.acknowledgedSequence <= headSequence) return stored.acknowledgedSequence;
  const version = stored.version + 1;
  const replaced = { ...stored, version, replayVersion: version, acknowledgedSequence: headSequence };
  const isMoved = await store.replaceWebhook(
    replaced,
    'replay',
    webhookReplayed(stored, headSequence, stamp()),
  );
  return isMoved ? headSequence : undefined;
}
