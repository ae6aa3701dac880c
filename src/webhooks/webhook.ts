import { formatTimestamp, timeOrNull } from '../../values/calendar.ts';
import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import { type Change, changeType } from '../ledger/changes/change.ts';
import { publicKeyOf, signingOf } from './webhook-message.ts';

export const WEBHOOK_ID_FORM = '^we_[0-9A-Za-z]{16}$';
const WEBHOOK_ID = new RegExp(WEBHOOK_ID_FORM);

export const isWebhookId = (text: string): boolean => WEBHOOK_ID.test(text);

export const WEBHOOK_STATES = ['enabled', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** `gone`: the receiver answered 410. `failing`: all attempts failed for DISABLE_AFTER_MS. */
export type DisabledReason = 'requested' | 'gone' | 'failing';

export interface WebhookEndpoint {
  id: string;
  account: string;
  url: string;
  types: readonly string[] | null;
  label: string | null;
  /** True if each change waits until the previous one is delivered. */
  ordered: boolean;
  /** `whsec_` or `whsk_`, then base64. The prefix says how the secret signs deliveries. */
  secret: string;
  /** The previous secret also signs until `untilMs`. Null if the secret was not rotated. */
  previousSecret: { secret: string; untilMs: number } | null;
  createdAtMs: number;
  disabled: { reason: DisabledReason; atMs: number } | null;
  /** At first, the number `createdAtMs`. Each request that changes the endpoint or its failures adds 1. */
  version: number;
  /** The version at creation or at the last replay. */
  replayVersion: number;
  /** Every change up to this number was delivered, has an unwanted type, or is kept as a failure. */
  acknowledgedSequence: number;
  /** The time of the first failure since the last success. Null if the last attempt succeeded. */
  failingSinceMs: number | null;
  /** True if the last response came within a second; null before the first attempt. */
  isQuick: boolean | null;
}

export type EndpointName = Pick<WebhookEndpoint, 'account' | 'id'>;

export interface ListedWebhook extends WebhookEndpoint {
  failureCount: number;
}

export interface WebhookFailure {
  sequence: number;
  attempts: number;
  firstFailedAtMs: number;
  lastFailedAtMs: number;
  /** Null after the last attempt of the schedule: the change is retried only by hand. */
  nextAttemptAtMs: number | null;
  responseStatus: number | null;
  error: string;
}

export interface WebhookProgress {
  /** The last known stored position. If it has become lower, an older database was restored. */
  after: number;
  acknowledgedSequence: number;
  /** The nonce of the stored change `acknowledgedSequence`. If null, it is unknown and not checked. */
  nonce: number | null;
  failingSinceMs: number | null;
  isQuick: boolean | null;
  failed: readonly WebhookFailure[];
  delivered: readonly number[];
}

/** If a stored lease has more time left than this, the clock was set back, and the lease is over. */
export const MAX_LEASE_MS = 60_000;
export const LEASE_MS = 6000;

/** After the lease, instances with other `rules` than its holder wait this long: the holder may restart. */
export const OTHER_RULES_MS = 30_000;

export interface LeaseRequest {
  instance: string;
  /** The settings that decide which receivers the instance can reach. */
  rules: string;
  /** The lease lasts this long by the database's clock. At most MAX_LEASE_MS; 0 gives the lease back. */
  leaseMs: number;
}

export interface Lease {
  isHeld: boolean;
  rules: string;
}

/** A call that changes an endpoint writes its audit entry in the same database transaction. */
export interface WebhookManager {
  /** Returns false if there are `limit` endpoints, the id was used, or the request's key was revoked. */
  createWebhook(created: WebhookEndpoint, limit: number, entry: AuditEntry): Promise<boolean>;
  listWebhooks(account: string): Promise<ListedWebhook[]>;
  findWebhook(account: string, id: string): Promise<ListedWebhook | undefined>;
  /**
   * If the stored version is not `endpoint.version - 1`, returns false and changes nothing. A replay also
   * stores `acknowledgedSequence`, and removes the failures after it.
   */
  replaceWebhook(endpoint: WebhookEndpoint, by: 'change' | 'replay', entry: AuditEntry): Promise<boolean>;
  /** Also removes the failures. */
  deleteWebhook(account: string, id: string, entry: AuditEntry): Promise<boolean>;
  readWebhookRules(): Promise<string | undefined>;
  listWebhookFailures(account: string, id: string, after: number, limit: number): Promise<WebhookFailure[]>;
  retryWebhookFailure(account: string, id: string, sequence: number, nowMs: number): Promise<boolean>;
}

export interface DeliverableEndpoint extends WebhookEndpoint {
  hasFailures: boolean;
  isWatched: boolean;
}

export type DeliverableQuery =
  | { after: Pick<WebhookEndpoint, 'account' | 'id'> | null; limit: number }
  | { accounts: readonly string[] };

export interface WebhookDeliverer {
  /** Renews the lease, or takes it if it is free: see OTHER_RULES_MS. */
  leaseWebhooks(request: LeaseRequest): Promise<Lease>;
  /** Without `node`, lists the endpoints of all nodes. */
  listDeliverable(query: DeliverableQuery, node?: string): Promise<DeliverableEndpoint[]>;
  /**
   * If the endpoint was deleted or replayed, or an older database was restored, stores nothing and returns
   * false. A retry that the owner requested after `failuresVersion` is neither delayed nor cancelled.
   */
  storeProgress(
    account: string,
    id: string,
    failuresVersion: number,
    progress: WebhookProgress,
  ): Promise<boolean>;
  /** Adds 1 to the version. If the stored version is not `version`, returns false. */
  disableWebhook(
    account: string,
    id: string,
    version: number,
    disabled: NonNullable<WebhookEndpoint['disabled']>,
    entry: AuditEntry,
  ): Promise<boolean>;
}

export interface WebhookStore extends WebhookManager, WebhookDeliverer {}

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

/** `before_endpoint`: the change is older than the endpoint. `stopped`: the endpoint is disabled. */
export type DeliveryOutcome =
  | 'delivered'
  | 'failed'
  | 'waiting'
  | 'stopped'
  | 'not_wanted'
  | 'before_endpoint';

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
    disabledAt: timeOrNull(disabled?.atMs ?? null),
    createdAt: formatTimestamp(endpoint.createdAtMs),
    acknowledgedSequence: endpoint.acknowledgedSequence,
    failureCount: endpoint.failureCount,
    failingSince: timeOrNull(endpoint.failingSinceMs),
  };
}

export function formatFailure(failure: WebhookFailure) {
  return {
    sequence: failure.sequence,
    attempts: failure.attempts,
    firstFailedAt: formatTimestamp(failure.firstFailedAtMs),
    lastFailedAt: formatTimestamp(failure.lastFailedAtMs),
    nextAttemptAt: timeOrNull(failure.nextAttemptAtMs),
    responseStatus: failure.responseStatus,
    error: failure.error,
  };
}
