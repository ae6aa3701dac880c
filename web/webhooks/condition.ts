import type { WebhookEndpoint } from '../../client/src/webhook-endpoint.ts';
import { MAX_FAILURES } from '../../values/interface/limits.ts';

/** `full`: it has MAX_FAILURES failures. `gone`: the receiver answered 410. `gave-up`: it failed for days. */
export type Condition = 'enabled' | 'incomplete' | 'failing' | 'full' | 'requested' | 'gone' | 'gave-up';

export function conditionOf({
  state,
  disabledReason,
  failingSince,
  failureCount,
}: WebhookEndpoint): Condition {
  if (state === 'enabled') {
    if (failingSince !== null) return 'failing';
    if (failureCount >= MAX_FAILURES) return 'full';
    return failureCount > 0 ? 'incomplete' : 'enabled';
  }
  return disabledReason === 'gone' ? 'gone' : disabledReason === 'failing' ? 'gave-up' : 'requested';
}

export const isFailing = (webhook: WebhookEndpoint): boolean =>
  !['enabled', 'incomplete', 'requested'].includes(conditionOf(webhook));
