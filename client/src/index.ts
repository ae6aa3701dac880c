export type { FeedQuery } from './change.ts';
export { TransactionsClient } from './client.ts';
export * from './common.ts';
export { type SealedPosition, SealMismatchError, WebhookVerificationError } from './errors.ts';
export type { ExportedTransaction } from './export-manifest.ts';
export type { Key } from './key.ts';
export type { Seal } from './seal.ts';
export {
  type ChangeEvent,
  type EndpointEvent,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhook.ts';
export type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  RotatedSecret,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookFailure,
  WebhookFailurePage,
  WebhookTestResult,
} from './webhook-endpoint.ts';
export type { Webhooks } from './webhooks.ts';
