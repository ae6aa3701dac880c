import type { Row } from '../db/statement.ts';
import type { DeliverableEndpoint, ListedWebhook, WebhookEndpoint, WebhookFailure } from './webhook.ts';

function readEndpoint(row: Row): WebhookEndpoint {
  return {
    account: row.text(),
    id: row.text(),
    createdAtMs: row.integer(),
    url: row.text(),
    types: JSON.parse(row.textOrNull() ?? 'null'),
    label: row.textOrNull(),
    ordered: row.integer() === 1,
    secret: row.text(),
    previousSecret: withTime(row.textOrNull(), row.integerOrNull(), (secret, untilMs) => ({
      secret,
      untilMs,
    })),
    disabled: withTime(row.textOrNull(), row.integerOrNull(), (reason, atMs) => ({
      reason: reason as NonNullable<WebhookEndpoint['disabled']>['reason'],
      atMs,
    })),
    version: row.integer(),
    replayVersion: row.integer(),
    acknowledgedSequence: row.integer(),
    failingSinceMs: row.integerOrNull(),
    isQuick: booleanOf(row.integerOrNull()),
  };
}

const withTime = <Made>(text: string | null, ms: number | null, make: (text: string, ms: number) => Made) =>
  text === null || ms === null ? null : make(text, ms);

const booleanOf = (bit: number | null) => (bit === null ? null : bit === 1);
export const bitOf = (value: boolean | null): number | null => (value === null ? null : Number(value));

export const readListed = (row: Row): ListedWebhook => ({
  ...readEndpoint(row),
  failureCount: row.integer(),
});

export const readDeliverable = (row: Row): DeliverableEndpoint => ({
  ...readEndpoint(row),
  hasFailures: row.integerOrNull() !== null,
  isWatched: row.integer() === 1,
});

export const readFailure = (row: Row): WebhookFailure => ({
  sequence: row.integer(),
  attempts: row.integer(),
  firstFailedAtMs: row.integer(),
  lastFailedAtMs: row.integer(),
  nextAttemptAtMs: row.integerOrNull(),
  responseStatus: row.integerOrNull(),
  error: row.text(),
});

export const replacedValues = (endpoint: WebhookEndpoint) => ({
  url: endpoint.url,
  types: endpoint.types === null ? null : JSON.stringify(endpoint.types),
  label: endpoint.label,
  ordered: Number(endpoint.ordered),
  secret: endpoint.secret,
  previousSecret: endpoint.previousSecret?.secret ?? null,
  previousSecretUntilMs: endpoint.previousSecret?.untilMs ?? null,
  disabledReason: endpoint.disabled?.reason ?? null,
  disabledAtMs: endpoint.disabled?.atMs ?? null,
});
