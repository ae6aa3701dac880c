import type { WebhookEndpoint } from '../../client/src/webhook-endpoint.ts';

/** The most failures that an endpoint keeps. From then on it goes on as an ordered one. */
export const MAX_FAILURES = 1000;

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

/** Whether somebody has to repair the receiver. */
export const isFailing = (webhook: WebhookEndpoint): boolean =>
  !['enabled', 'requested'].includes(conditionOf(webhook));
