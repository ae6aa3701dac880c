import type { WebhookEndpoint } from '../../client/src/webhook-endpoint.ts';
import { MAX_FAILURES } from '../../values/interface/limits.ts';

/** How an endpoint does. */
export type Condition = 'enabled' | 'failing' | 'full' | 'requested' | 'gone' | 'gave-up';

export function conditionOf({
  state,
  disabledReason,
  failingSince,
  failureCount,
}: WebhookEndpoint): Condition {
  if (state === 'enabled')
    return failingSince !== null ? 'failing' : failureCount < MAX_FAILURES ? 'enabled' : 'full';
  return disabledReason === 'gone' ? 'gone' : disabledReason === 'failing' ? 'gave-up' : 'requested';
}

/** True if somebody has to repair the receiver. */
export const isFailing = (webhook: WebhookEndpoint): boolean =>
  !['enabled', 'requested'].includes(conditionOf(webhook));
