import {
  bucketOf,
  type DeliverableEndpoint,
  type DisabledReason,
  type ListedWebhook,
  type WebhookEndpoint,
  type WebhookFailure,
} from './webhook.ts';

/** The columns that a request replaces, in the order of `replacedValues`. */
export const REPLACED_COLUMNS = [
  'url',
  'types',
  'label',
  'ordered',
  'secret',
  'previous_secret',
  'previous_secret_until_ms',
  'disabled_reason',
  'disabled_at_ms',
];

type ReplacedValues = [
  url: string,
  types: string | null,
  label: string | null,
  ordered: number,
  secret: string,
  previousSecret: string | null,
  previousSecretUntilMs: number | null,
  disabledReason: DisabledReason | null,
  disabledAtMs: number | null,
];

/** The columns of a WebhookRow, in this order. */
export const WEBHOOK_COLUMNS = [
  'account',
  'id',
  'created_at_ms',
  ...REPLACED_COLUMNS,
  'version',
  'replay_version',
  'acknowledged_sequence',
  'failing_since_ms',
];

export type WebhookRow = [
  account: string,
  id: string,
  createdAtMs: number,
  ...ReplacedValues,
  version: number,
  replayVersion: number,
  acknowledgedSequence: number,
  failingSinceMs: number | null,
];

export const webhookOf = (row: WebhookRow): WebhookEndpoint => ({
  account: row[0],
  id: row[1],
  createdAtMs: row[2],
  url: row[3],
  types: row[4] === null ? null : JSON.parse(row[4]),
  label: row[5],
  ordered: row[6] === 1,
  secret: row[7],
  previousSecret: row[8] === null || row[9] === null ? null : { secret: row[8], untilMs: row[9] },
  disabled: row[10] === null || row[11] === null ? null : { reason: row[10], atMs: row[11] },
  version: row[12],
  replayVersion: row[13],
  acknowledgedSequence: row[14],
  failingSinceMs: row[15],
});

export const replacedValues = (endpoint: WebhookEndpoint): ReplacedValues => [
  endpoint.url,
  endpoint.types === null ? null : JSON.stringify(endpoint.types),
  endpoint.label,
  endpoint.ordered ? 1 : 0,
  endpoint.secret,
  endpoint.previousSecret?.secret ?? null,
  endpoint.previousSecret?.untilMs ?? null,
  endpoint.disabled?.reason ?? null,
  endpoint.disabled?.atMs ?? null,
];

/** The columns of a new endpoint, in the order of `createdValues`. */
export const CREATED_COLUMNS = [...WEBHOOK_COLUMNS, 'bucket'];

export const createdValues = (endpoint: WebhookEndpoint): [...WebhookRow, bucket: number] => [
  endpoint.account,
  endpoint.id,
  endpoint.createdAtMs,
  ...replacedValues(endpoint),
  endpoint.version,
  endpoint.replayVersion,
  endpoint.acknowledgedSequence,
  endpoint.failingSinceMs,
  bucketOf(endpoint.account),
];

/** `firstFailure` is the sequence number of a failure, or null if there is none. */
export type DeliverableRow = [...WebhookRow, firstFailure: number | null, isWatched: number];

export const deliverableOf = (row: DeliverableRow): DeliverableEndpoint => ({
  ...webhookOf(row as unknown as WebhookRow),
  hasFailures: row[16] !== null,
  isWatched: row[17] === 1,
});

/** The columns of a FailureRow, in this order. */
export const FAILURE_COLUMNS = [
  'sequence',
  'attempts',
  'first_failed_at_ms',
  'last_failed_at_ms',
  'next_attempt_at_ms',
  'response_status',
  'error',
];

export type FailureRow = [
  sequence: number,
  attempts: number,
  firstFailedAtMs: number,
  lastFailedAtMs: number,
  nextAttemptAtMs: number | null,
  responseStatus: number | null,
  error: string,
];

export const failureOf = (row: FailureRow): WebhookFailure => ({
  sequence: row[0],
  attempts: row[1],
  firstFailedAtMs: row[2],
  lastFailedAtMs: row[3],
  nextAttemptAtMs: row[4],
  responseStatus: row[5],
  error: row[6],
});

export const failureValues = (failure: WebhookFailure): FailureRow => [
  failure.sequence,
  failure.attempts,
  failure.firstFailedAtMs,
  failure.lastFailedAtMs,
  failure.nextAttemptAtMs,
  failure.responseStatus,
  failure.error,
];

/** An account has few endpoints: they are sorted here, and no index has their order. */
export const oldestFirst = (endpoints: readonly ListedWebhook[]): ListedWebhook[] =>
  endpoints.toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
