import { withinTime } from '../../values/time-limit.ts';
import type { DeliverableEndpoint, DeliverablePart } from '../webhook.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import { CALL_TIMEOUT_MS } from './endpoint-delivery.ts';

/** The endpoints that could be read. */
interface Deliverable {
  endpoints: DeliverableEndpoint[];
  /** Whether the server that has an account was read. */
  isRead(account: string): boolean;
}

/**
 * Reads the enabled endpoints of a part, from each server of the database alone: one that fails, or is late, leaves out its own.
 *
 * Throws: StoreUnavailable if no server was read.
 */
export async function readDeliverable(
  { store, hooks }: Pick<DeliveryDependencies, 'store' | 'hooks'>,
  part: DeliverablePart,
): Promise<Deliverable> {
  const servers = store.servers?.() ?? [''];
  const read = servers.map((server) => withinTime(store.listDeliverable(part, server), CALL_TIMEOUT_MS));
  const settled = await Promise.allSettled(read);
  const failed = new Map<string, unknown>();
  for (const [index, one] of settled.entries())
    if (one.status === 'rejected') failed.set(servers[index] as string, one.reason);
  const [first] = failed.values();
  if (failed.size === servers.length) throw first;
  if (failed.size > 0) hooks.onError(first);
  return {
    endpoints: settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    isRead: (account) => failed.size === 0 || !failed.has(store.serverOf?.(account) ?? ''),
  };
}
