import { formatTimestamp } from '../../values/calendar.ts';
import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import { type Change, changeType } from '../ledger/changes/change.ts';
import { publicKeyOf, signingOf } from './webhook-message.ts';

export const WEBHOOK_ID_FORM = '^we_[0-9A-Za-z]{16}$';
const WEBHOOK_ID = new RegExp(WEBHOOK_ID_FORM);

export const isWebhookId = (text: string): boolean => WEBHOOK_ID.test(text);

/** If `enabled`, changes are delivered to the endpoint. */
export const WEBHOOK_STATES = ['enabled', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/**
 * Why deliveries to an endpoint stopped. `requested`: by its owner. `gone`: by a 410 of the receiver.
 * `failing`: after DISABLE_AFTER_MS of failures.
 */
export type DisabledReason = 'requested' | 'gone' | 'failing';

/** An endpoint: a position in the change feed of an account, not a queue. */
export interface WebhookEndpoint {
  /** `we_` and 16 characters of base62. */
  id: string;
  account: string;
  url: string;
  /** The types of the changes that are delivered, such as `transaction.completed`; null for all. */
  types: readonly string[] | null;
  label: string | null;
  /** True if each change is delivered only after the previous one was. */
  ordered: boolean;
  /** `whsec_` or `whsk_`, then base64. The prefix says how the secret signs deliveries. */
  secret: string;
  /** The previous secret, which also signs until `untilMs`; null if the secret was not rotated. */
  previousSecret: { secret: string; untilMs: number } | null;
  createdAtMs: number;
  /** Null while the endpoint is enabled. */
  disabled: { reason: DisabledReason; atMs: number } | null;
  /**
   * At first the time of the creation, so that an endpoint that is made again with the id of a deleted one
   * has a higher version. A request that changes a property, the failures or the position raises the version.
   * Deliveries then read the endpoint again.
   */
  version: number;
  /** The version of the last replay, or the first version. Progress of an older version is not stored. */
  replayVersion: number;
  /** Every change up to this number is delivered, of an unwanted type, or kept as a failure. */
  acknowledgedSequence: number;
  /** Since when every attempt has failed; null if the last attempt succeeded. */
  failingSinceMs: number | null;
  /**
   * True if the last response came within a second; null before the first attempt. An instance that takes
   * over begins with the quick endpoints.
   */
  isQuick: boolean | null;
}

export type EndpointName = Pick<WebhookEndpoint, 'account' | 'id'>;

export interface ListedWebhook extends WebhookEndpoint {
  /** How many changes are kept as failures. */
  failureCount: number;
}

/** A change that could not be delivered. It is stored separately, so that later changes can be delivered. */
export interface WebhookFailure {
  sequence: number;
  /** How many attempts failed, at least 1. */
  attempts: number;
  firstFailedAtMs: number;
  lastFailedAtMs: number;
  /** Null after the last attempt of the schedule: the change is retried only by hand. */
  nextAttemptAtMs: number | null;
  /** The status of the last response; null without a response. */
  responseStatus: number | null;
  /** Why the last attempt failed, in a few words for the owner of the endpoint. */
  error: string;
}

/** The progress of deliveries to an endpoint since it was last stored. */
export interface WebhookProgress {
  /**
   * The stored acknowledged sequence from which deliveries continued. Only a replay or a restore makes the
   * stored sequence smaller.
   */
  after: number;
  acknowledgedSequence: number;
  /** The nonce of change `acknowledgedSequence`; null if another instance settled it, to skip the check. */
  nonce: number | null;
  failingSinceMs: number | null;
  isQuick: boolean | null;
  /** New failures, and failures that were attempted again. */
  failed: readonly WebhookFailure[];
  /** The sequence numbers of failures that are delivered now. */
  delivered: readonly number[];
}

/**
 * The longest lease. A stored lease that ends later than this counts as ended, because the clock that set it
 * was ahead.
 */
export const MAX_LEASE_MS = 60_000;
/** For how long an instance takes the lease. */
export const LEASE_MS = 6000;

/**
 * An instance with different rules must wait this long after the lease ended, so that an instance with the
 * rules of the last holder can take the lease first. Longer than a restart of the service.
 */
export const OTHER_RULES_MS = 30_000;

export interface LeaseRequest {
  /** Identifies the instance of the service. */
  instance: string;
  /** The settings that decide which receivers the instance can reach, as a text. */
  rules: string;
  /**
   * How long the lease lasts from now, by the database's clock: at most MAX_LEASE_MS. With 0, an instance
   * that stops gives the lease back.
   */
  leaseMs: number;
}

export interface Lease {
  isHeld: boolean;
  /** The rules of the instance that has the lease, or had it last. */
  rules: string;
}

/**
 * The endpoints of an account, as their owner manages them. A call that creates, replaces or deletes an
 * endpoint writes its audit entry in the same database transaction, if it changes something.
 */
export interface WebhookManager {
  /**
   * Stores a new endpoint, and returns whether it did. It does not if the account already has `limit`
   * endpoints or one with this id, or if the key of the request was revoked, because the account can have
   * been erased and made again.
   */
  createWebhook(created: WebhookEndpoint, limit: number, entry: AuditEntry): Promise<boolean>;
  /** All endpoints of an account, oldest first, each with the number of its failures. */
  listWebhooks(account: string): Promise<ListedWebhook[]>;
  findWebhook(account: string, id: string): Promise<ListedWebhook | undefined>;
  /**
   * Replaces an endpoint if its stored version is one less than that of `replaced`. Returns whether it did. A
   * replay stores the new version as `replayVersion`, and removes the failures after the acknowledged
   * sequence, because their changes are delivered again. A change leaves `replayVersion` and the acknowledged
   * sequence as stored. `failingSinceMs` stays as stored, or becomes null if the change enables the endpoint.
   */
  replaceWebhook(replaced: WebhookEndpoint, by: 'change' | 'replay', entry: AuditEntry): Promise<boolean>;
  /** Removes an endpoint and its failures. Returns whether the account had the endpoint. */
  deleteWebhook(account: string, id: string, entry: AuditEntry): Promise<boolean>;
  /** The rules of the instance that delivers, or delivered last: see LeaseRequest. Undefined if none has. */
  readWebhookRules(): Promise<string | undefined>;
  /** The first failures with sequence numbers above `after`, in order. */
  listWebhookFailures(account: string, id: string, after: number, limit: number): Promise<WebhookFailure[]>;
  /** Makes a failure due at a time, and raises its endpoint's version. Returns whether the failure exists. */
  retryWebhookFailure(account: string, id: string, sequence: number, nowMs: number): Promise<boolean>;
}

/** An enabled endpoint, as deliveries read it. */
export interface DeliverableEndpoint extends WebhookEndpoint {
  /** True if the endpoint has a failure, with or without a next attempt. */
  hasFailures: boolean;
  /** True if the endpoint's account is watched: see AccountWatching. */
  isWatched: boolean;
}

/**
 * Either the first `limit` endpoints after a given one, ordered by account and id, or the endpoints of some
 * accounts in any order.
 */
export type DeliverableQuery =
  | { after: Pick<WebhookEndpoint, 'account' | 'id'> | null; limit: number }
  | { accounts: readonly string[] };

/** The part of the store that deliveries need. No row is written for a delivery that succeeds. */
export interface WebhookDeliverer {
  /** Renews the lease of the instance that delivers, or takes it if it is free: see OTHER_RULES_MS. */
  leaseWebhooks(request: LeaseRequest): Promise<Lease>;
  /** The enabled endpoints of a query, on all nodes of the store or on one. */
  listDeliverable(query: DeliverableQuery, node?: string): Promise<DeliverableEndpoint[]>;
  /**
   * Stores progress in one database transaction, and returns whether it did. It does not if the endpoint is
   * gone, its stored `replayVersion` is above `version`, its stored acknowledged sequence is below `after`,
   * or the change `acknowledgedSequence` has a different nonce in this database. It stores no failure of an
   * archived change, because another instance has settled that change. It never lowers the acknowledged
   * sequence. Storing the same progress twice has the same effect as storing it once. If the stored version
   * is above `version`, a failure keeps an earlier next attempt, because its owner may have requested that
   * attempt.
   */
  storeProgress(account: string, id: string, version: number, progress: WebhookProgress): Promise<boolean>;
  /**
   * Disables an endpoint if its stored version is `version`, raises the version, and writes an audit entry.
   * Returns whether it did.
   */
  disableWebhook(
    account: string,
    id: string,
    version: number,
    disabled: NonNullable<WebhookEndpoint['disabled']>,
    entry: AuditEntry,
  ): Promise<boolean>;
}

export interface WebhookStore extends WebhookManager, WebhookDeliverer {}

/** The fields that a request can change. */
const FIELDS = ['url', 'types', 'label', 'ordered'] as const;

/** The entry names the changed fields without their values, because a URL can contain a token. */
export function webhookChanged(
  before: WebhookEndpoint,
  changed: WebhookEndpoint,
  stamp: AuditStamp,
): AuditEntry {
  const { account, id, disabled } = changed;
  const fields = FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(changed[field]));
  const detail = fields.length === 0 ? null : { fields };
  const isDisabled = disabled !== null;
  if (isDisabled === (before.disabled !== null))
    return auditEntry(stamp, 'endpoint.changed', account, id, detail);
  return isDisabled
    ? auditEntry(stamp, 'endpoint.disabled', account, id, { ...detail, reason: disabled.reason })
    : auditEntry(stamp, 'endpoint.enabled', account, id, detail);
}

export const webhookReplayed = (
  { account, id }: EndpointName,
  after: number,
  stamp: AuditStamp,
): AuditEntry => auditEntry(stamp, 'endpoint.replayed', account, id, { after });

export const webhookDeleted = ({ account, id }: EndpointName, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'endpoint.deleted', account, id);

/**
 * The outcome of a change at an endpoint. `not_wanted`: the endpoint does not want the change's type.
 * `before_endpoint`: the change was recorded before the endpoint was made. `stopped`: the endpoint is
 * disabled.
 */
export type DeliveryOutcome =
  | 'delivered'
  | 'failed'
  | 'waiting'
  | 'stopped'
  | 'not_wanted'
  | 'before_endpoint';

/** `failure` is the stored failure of the change, if there is one. */
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

const time = (timeMs: number | null): string | null => (timeMs === null ? null : formatTimestamp(timeMs));

/** Formats an endpoint for responses and commands, without its secrets. */
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

/** Formats a failure for responses and commands. */
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
