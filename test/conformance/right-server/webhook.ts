import { createHmac, randomBytes } from 'node:crypto';
import { formatTime } from './times.ts';

/** A change that could not be delivered, with its attempts so far. */
export type Failure = {
  sequence: number;
  attempts: number;
  firstFailedAtMs: number;
  lastFailedAtMs: number;
  /** Null after the last attempt: only a request retries it. */
  nextAttemptAtMs: number | null;
  responseStatus: number | null;
  error: string;
};

/** An endpoint: a position in the change feed of its account, and the changes before it that failed. */
export type Webhook = {
  id: string;
  account: string;
  url: string;
  types: string[] | null;
  label: string | null;
  ordered: boolean;
  disabledReason: 'requested' | 'gone' | null;
  disabledAtMs: number | null;
  createdAtMs: number;
  /** The secrets that sign. The ones before the last are accepted until a time. */
  secrets: { secret: string; untilMs: number }[];
  acknowledgedSequence: number;
  failures: Map<number, Failure>;
};

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The headers of a delivery, as Standard Webhooks 1.0.0 prescribes them. */
export function signWebhook(
  webhook: Webhook,
  id: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = webhook.secrets
    .filter(({ untilMs }) => untilMs > nowMs)
    .map(({ secret }) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** An endpoint as callers see it. Its secret is shown once, by the response that creates it. */
export function showWebhook(webhook: Webhook, headSequence: number): object {
  const { id, url, types, label, ordered, disabledReason, disabledAtMs, createdAtMs } = webhook;
  const failures = [...webhook.failures.values()];
  return {
    id,
    url,
    types,
    label,
    ordered,
    state: disabledReason === null ? 'enabled' : 'disabled',
    disabledReason,
    disabledAt: disabledAtMs === null ? null : formatTime(disabledAtMs),
    createdAt: formatTime(createdAtMs),
    acknowledgedSequence: webhook.acknowledgedSequence,
    headSequence,
    failureCount: failures.length,
    failingSince:
      failures.length === 0 ? null : formatTime(Math.min(...failures.map((one) => one.firstFailedAtMs))),
  };
}

export function showFailure(failure: Failure): object {
  const { sequence, attempts, nextAttemptAtMs, responseStatus, error } = failure;
  return {
    sequence,
    attempts,
    firstFailedAt: formatTime(failure.firstFailedAtMs),
    lastFailedAt: formatTime(failure.lastFailedAtMs),
    nextAttemptAt: nextAttemptAtMs === null ? null : formatTime(nextAttemptAtMs),
    responseStatus,
    error,
  };
}
