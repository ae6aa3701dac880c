import type { Change } from '../ledger/changes/change.ts';
import { changeType } from '../ledger/changes/change.ts';
import type { WebhookEndpoint, WebhookFailure } from './webhook.ts';

/**
 * The outcome of a change at an endpoint. `not_wanted`: the endpoint does not want its type.
 * `before_endpoint`: it was recorded before the endpoint was made. `stopped`: the endpoint is disabled.
 */
export type DeliveryOutcome =
  | 'delivered'
  | 'failed'
  | 'waiting'
  | 'stopped'
  | 'not_wanted'
  | 'before_endpoint';

/** `failure`: the stored failure of the change, if there is one. */
export function deliveryOutcome(
  endpoint: Pick<WebhookEndpoint, 'types' | 'acknowledgedSequence' | 'createdAtMs' | 'disabled'>,
  change: Change,
  failure: WebhookFailure | undefined,
): DeliveryOutcome {
  if (failure !== undefined) return 'failed';
  if (endpoint.types !== null && !endpoint.types.includes(changeType(change))) return 'not_wanted';
  if (change.sequence > endpoint.acknowledgedSequence)
    return endpoint.disabled === null ? 'waiting' : 'stopped';
  return change.recordedAtMs < endpoint.createdAtMs ? 'before_endpoint' : 'delivered';
}
