import type { Change } from '../ledger/changes/change.ts';
import { listChanges, SequenceAhead } from '../ledger/changes/list-changes.ts';
import { withinTime } from '../values/time-limit.ts';
import type { DeliveryStore, EndpointName } from './delivery-dependencies.ts';
import { MAX_FAILURES } from './delivery-state.ts';
import { LOADED_FAILURES, type StoredFailures } from './kept-failures.ts';
import { CALL_TIMEOUT_MS } from './progress-writer.ts';

/** Reads the failures of an endpoint that deliveries after a number need. Undefined if the endpoint is removed. */
export async function loadFailures(
  store: Pick<DeliveryStore, 'findWebhook' | 'listPendingFailures' | 'listWebhookFailures'>,
  { account, id }: EndpointName,
  after: number,
): Promise<StoredFailures | undefined> {
  const reading = Promise.all([
    store.findWebhook(account, id),
    store.listPendingFailures(account, id, LOADED_FAILURES),
    store.listWebhookFailures(account, id, after, MAX_FAILURES),
  ]);
  const [found, pending, ahead] = await withinTime(reading, CALL_TIMEOUT_MS);
  return found && { count: found.failures, pending, ahead };
}

/** The change of a failure; undefined if it does not exist, because an older state of the database was restored. */
export async function readKeptChange(
  store: Pick<DeliveryStore, 'listChanges'>,
  account: string,
  sequence: number,
): Promise<Change | undefined> {
  try {
    const query = { account, after: sequence - 1, limit: 1 };
    const { changes } = await withinTime(listChanges(store, query), CALL_TIMEOUT_MS);
    return changes[0];
  } catch (error) {
    if (error instanceof SequenceAhead) return undefined;
    throw error;
  }
}
