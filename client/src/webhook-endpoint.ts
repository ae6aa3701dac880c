import { type CollectionPage, isPageOf } from './collection.ts';
import { isCount, isObject, isText, isTextOrNull } from './response.ts';

export interface WebhookEndpoint {
  id: string;
  url: string;
  /** The types of changes that are delivered; null for all types. */
  types: string[] | null;
  label: string | null;
  /** True if each change is delivered only after the previous change was delivered. */
  ordered: boolean;
  /** `v1`: HMAC-SHA256 with a secret; `v1a`: Ed25519 with a key that stays at the service. */
  signing: string;
  /** The key for `verifyWebhook` with `v1a`. Null with `v1`, which uses the secret. */
  publicKey: string | null;
  state: 'enabled' | 'disabled';
  /**
   * `requested` (by the account), `gone` (the receiver answered 410) or `failing` (for days); null while the
   * endpoint is enabled.
   */
  disabledReason: string | null;
  disabledAt: string | null;
  createdAt: string;
  /** All changes up to this number were delivered, stored as failures, or left out because of their type. */
  acknowledgedSequence: number;
  /** The number of the account's last change. */
  headSequence: number;
  failureCount: number;
  /** All attempts since this time have failed; null if the last attempt succeeded or none was made. */
  failingSince: string | null;
}

/** A new endpoint with its secret. No other response contains the secret. */
export interface CreatedWebhookEndpoint extends WebhookEndpoint {
  /** Store the secret, because `verifyWebhook` needs it. Null with `v1a`. */
  secret: string | null;
  /** Present if another endpoint of the account has the same URL. */
  warning?: string;
}

export interface NewWebhookEndpoint {
  url: string;
  /** For example `transaction.completed`. Default: null, for all types. */
  types?: readonly string[] | null | undefined;
  label?: string | null | undefined;
  /** Default: false. */
  ordered?: boolean | undefined;
  /** Cannot be changed later. Default: `v1`. */
  signing?: 'v1' | 'v1a' | undefined;
}

/** Absent fields are not changed. */
export interface WebhookEndpointChanges extends Partial<Omit<NewWebhookEndpoint, 'signing'>> {
  /** `disabled` stops deliveries; `enabled` starts them again where they stopped. */
  state?: WebhookEndpoint['state'] | undefined;
}

export interface RotatedSecret {
  /** Null with `v1a`. */
  secret: string | null;
  /** The new key for `verifyWebhook`; null with `v1`. */
  publicKey: string | null;
  /** Until this time, webhooks are also signed with the previous secret. */
  previousSecretUntil: string;
}

export interface WebhookTestResult {
  delivered: boolean;
  status: number | null;
  error: string | null;
  durationMs: number;
}

export interface WebhookFailure {
  sequence: number;
  /** Retries are not counted while the service pauses an endpoint whose receiver is unavailable. */
  attempts: number;
  firstFailedAt: string;
  lastFailedAt: string;
  /** Null after the last attempt. Then only `retryFailure` makes a further attempt. */
  nextAttemptAt: string | null;
  responseStatus: number | null;
  error: string;
}

export type WebhookFailurePage = CollectionPage<WebhookFailure>;

const isCountOrNull = (value: unknown) => value === null || isCount(value);

export function isWebhookEndpoint(value: unknown): value is WebhookEndpoint {
  return (
    isObject(value) &&
    ['id', 'url', 'signing', 'state', 'createdAt'].every((name) => isText(value[name])) &&
    ['publicKey', 'label', 'disabledReason', 'disabledAt', 'failingSince'].every((name) =>
      isTextOrNull(value[name]),
    ) &&
    ['acknowledgedSequence', 'headSequence', 'failureCount'].every((name) => isCount(value[name])) &&
    (value['types'] === null || (Array.isArray(value['types']) && value['types'].every(isText))) &&
    typeof value['ordered'] === 'boolean'
  );
}

export const isWebhookPage = isPageOf(isWebhookEndpoint);

export const isCreatedEndpoint = (value: unknown): value is CreatedWebhookEndpoint =>
  isWebhookEndpoint(value) && isTextOrNull((value as Partial<CreatedWebhookEndpoint>).secret);

export const isRotatedSecret = (value: unknown): value is RotatedSecret =>
  isObject(value) &&
  isTextOrNull(value['secret']) &&
  isTextOrNull(value['publicKey']) &&
  isText(value['previousSecretUntil']);

export const isTestResult = (value: unknown): value is WebhookTestResult =>
  isObject(value) &&
  typeof value['delivered'] === 'boolean' &&
  isCountOrNull(value['status']) &&
  isTextOrNull(value['error']) &&
  isCount(value['durationMs']);

const isFailure = (value: unknown): value is WebhookFailure =>
  isObject(value) &&
  ['sequence', 'attempts'].every((name) => isCount(value[name])) &&
  ['firstFailedAt', 'lastFailedAt', 'error'].every((name) => isText(value[name])) &&
  isTextOrNull(value['nextAttemptAt']) &&
  isCountOrNull(value['responseStatus']);

export const isFailurePage = isPageOf(isFailure);
