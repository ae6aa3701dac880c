import { type ColumnValue, columnOf } from '../ledger/transaction-columns.ts';
import { objectOfValues, valuesOfObject } from '../values/row-functions.ts';
import {
  type DeliverableEndpoint,
  type DisabledReason,
  type ListedWebhook,
  MAX_LEASE_MS,
  OTHER_RULES_MS,
  type WebhookEndpoint,
  type WebhookFailure,
} from './webhook.ts';

type Reads<Properties> = (readonly [
  property: Properties,
  method: 'text' | 'textOrNull' | 'integer' | 'integerOrNull',
])[];

/** An endpoint with a value for each column. */
interface StoredEndpoint
  extends Omit<WebhookEndpoint, 'types' | 'ordered' | 'previousSecret' | 'disabled' | 'isQuick'> {
  types: string | null;
  ordered: number;
  previousSecret: string | null;
  previousSecretUntilMs: number | null;
  disabledReason: DisabledReason | null;
  disabledAtMs: number | null;
  quick: number | null;
}

/** What a request replaces. */
const REPLACED_READS: Reads<keyof StoredEndpoint> = [
  ['url', 'text'],
  ['types', 'textOrNull'],
  ['label', 'textOrNull'],
  ['ordered', 'integer'],
  ['secret', 'text'],
  ['previousSecret', 'textOrNull'],
  ['previousSecretUntilMs', 'integerOrNull'],
  ['disabledReason', 'textOrNull'],
  ['disabledAtMs', 'integerOrNull'],
];

/** The values of a WebhookRow, each with the method that reads it. */
export const WEBHOOK_READS: Reads<keyof StoredEndpoint> = [
  ['account', 'text'],
  ['id', 'text'],
  ['createdAtMs', 'integer'],
  ...REPLACED_READS,
  ['version', 'integer'],
  ['replayVersion', 'integer'],
  ['acknowledgedSequence', 'integer'],
  ['failingSinceMs', 'integerOrNull'],
  ['quick', 'integerOrNull'],
];

const namesOf = <Properties>(reads: Reads<Properties>) => reads.map(([property]) => property);

export const REPLACED_COLUMNS = namesOf(REPLACED_READS).map(columnOf);
export const WEBHOOK_COLUMNS = namesOf(WEBHOOK_READS).map(columnOf);

/** The values of WEBHOOK_COLUMNS, in their order. Further ones can follow. */
export type WebhookRow = ColumnValue[];

const storedEndpointOf = objectOfValues<StoredEndpoint>(namesOf(WEBHOOK_READS));
const valuesOf = valuesOfObject<StoredEndpoint, ColumnValue>(namesOf(WEBHOOK_READS));
const replacedOf = valuesOfObject<StoredEndpoint, ColumnValue>(namesOf(REPLACED_READS));

export const webhookOf = (row: WebhookRow): WebhookEndpoint => endpointOf(storedEndpointOf(row));

export function endpointOf({
  previousSecretUntilMs,
  disabledReason,
  disabledAtMs,
  quick,
  ...stored
}: StoredEndpoint): WebhookEndpoint {
  const { types, ordered, previousSecret: secret } = stored;
  return {
    ...stored,
    types: types === null ? null : JSON.parse(types),
    ordered: ordered === 1,
    previousSecret:
      secret === null || previousSecretUntilMs === null ? null : { secret, untilMs: previousSecretUntilMs },
    disabled:
      disabledReason === null || disabledAtMs === null
        ? null
        : { reason: disabledReason, atMs: disabledAtMs },
    isQuick: quick === null ? null : quick === 1,
  };
}

/** A boolean in a column. */
export const bitOf = (value: boolean | null): number | null => (value === null ? null : Number(value));

const storedOf = ({ disabled, isQuick, ...endpoint }: WebhookEndpoint): StoredEndpoint => ({
  ...endpoint,
  types: endpoint.types === null ? null : JSON.stringify(endpoint.types),
  ordered: endpoint.ordered ? 1 : 0,
  previousSecret: endpoint.previousSecret?.secret ?? null,
  previousSecretUntilMs: endpoint.previousSecret?.untilMs ?? null,
  disabledReason: disabled?.reason ?? null,
  disabledAtMs: disabled?.atMs ?? null,
  quick: bitOf(isQuick),
});

export const replacedValues = (endpoint: WebhookEndpoint) => replacedOf(storedOf(endpoint));

export const newWebhookValues = (endpoint: WebhookEndpoint): ColumnValue[] => valuesOf(storedOf(endpoint));

/** A WebhookRow, the sequence number of a failure or null if there is none, and whether the account is watched. */
export const deliverableOf = (row: WebhookRow): DeliverableEndpoint => ({
  ...webhookOf(row),
  hasFailures: row[WEBHOOK_COLUMNS.length] !== null,
  isWatched: row[WEBHOOK_COLUMNS.length + 1] === 1,
});

/** The values of a FailureRow, each with the method that reads it. */
export const FAILURE_READS: Reads<keyof WebhookFailure> = [
  ['sequence', 'integer'],
  ['attempts', 'integer'],
  ['firstFailedAtMs', 'integer'],
  ['lastFailedAtMs', 'integer'],
  ['nextAttemptAtMs', 'integerOrNull'],
  ['responseStatus', 'integerOrNull'],
  ['error', 'text'],
];

/** The columns of a FailureRow, in this order. */
export const FAILURE_COLUMNS = namesOf(FAILURE_READS).map(columnOf);

export type FailureRow = ColumnValue[];

export const webhookFailureOf: (row: FailureRow) => WebhookFailure = objectOfValues(namesOf(FAILURE_READS));
export const failureValues = valuesOfObject<WebhookFailure, ColumnValue>(namesOf(FAILURE_READS));

/** An account has few endpoints: they are sorted here, and no index has their order. */
export const oldestFirst = (endpoints: readonly ListedWebhook[]): ListedWebhook[] =>
  endpoints.toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));

/** Takes or renews the lease for the instance $1 with the rules $2, for $3 ms. `now` is the clock of the database. */
export const takeLeaseSql = (now: string): string =>
  `INSERT INTO webhook_lease (only_row, instance, rules, expires_at_ms) VALUES (1, $1, $2, ${now} + $3)
ON CONFLICT (only_row) DO UPDATE SET instance = excluded.instance, rules = excluded.rules, expires_at_ms = excluded.expires_at_ms
WHERE webhook_lease.instance = excluded.instance OR webhook_lease.expires_at_ms NOT BETWEEN
  ${now} + 1 - CASE WHEN webhook_lease.rules = excluded.rules THEN 0 ELSE ${OTHER_RULES_MS} END AND ${now} + ${MAX_LEASE_MS}`;

export const READ_LEASE_SQL = 'SELECT instance, rules FROM webhook_lease WHERE only_row = 1';
