import { formatTimestamp } from '../../values/calendar.ts';
import type { ListedWebhook, WebhookFailure, WebhookState } from './webhook.ts';
import { publicKeyOf, signingOf } from './webhook-message.ts';

const time = (timeMs: number | null): string | null => (timeMs === null ? null : formatTimestamp(timeMs));

/** An endpoint as responses and commands show it: without its secrets. */
export function formatWebhook(endpoint: ListedWebhook) {
  const { disabled } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types === null ? null : [...endpoint.types],
    label: endpoint.label,
    ordered: endpoint.ordered,
    signing: signingOf(endpoint.secret),
    publicKey: publicKeyOf(endpoint.secret),
    state: (disabled === null ? 'enabled' : 'disabled') satisfies WebhookState as WebhookState,
    disabledReason: disabled?.reason ?? null,
    disabledAt: time(disabled?.atMs ?? null),
    createdAt: formatTimestamp(endpoint.createdAtMs),
    acknowledgedSequence: endpoint.acknowledgedSequence,
    failureCount: endpoint.failureCount,
    failingSince: time(endpoint.failingSinceMs),
  };
}

/** A failure as responses and commands show it. */
export function formatFailure(failure: WebhookFailure) {
  return {
    sequence: failure.sequence,
    attempts: failure.attempts,
    firstFailedAt: formatTimestamp(failure.firstFailedAtMs),
    lastFailedAt: formatTimestamp(failure.lastFailedAtMs),
    nextAttemptAt: time(failure.nextAttemptAtMs),
    responseStatus: failure.responseStatus,
    error: failure.error,
  };
}
