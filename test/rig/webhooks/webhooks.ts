import type { WebhookEndpoint, WebhookFailure, WebhookProgress } from '../../../src/webhooks/webhook.ts';

export const idOf = (number: number) => `we_${String(number).padStart(16, '0')}`;

export const webhook = (number: number, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: idOf(number),
  account: 'store-1',
  url: `https://example.com/${number}`,
  types: null,
  label: null,
  ordered: false,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  previousSecret: null,
  createdAtMs: 1000,
  disabled: null,
  version: 1,
  replayVersion: 0,
  acknowledgedSequence: 0,
  failingSinceMs: null,
  isQuick: null,
  ...fields,
});

export const failure = (sequence: number, fields: Partial<WebhookFailure> = {}): WebhookFailure => ({
  sequence,
  attempts: 1,
  firstFailedAtMs: 2000,
  lastFailedAtMs: 2000,
  nextAttemptAtMs: 7000,
  responseStatus: 503,
  error: 'the response has the status 503',
  ...fields,
});

export const progress = (
  acknowledgedSequence: number,
  fields: Partial<WebhookProgress> = {},
): WebhookProgress => ({
  after: 0,
  acknowledgedSequence,
  nonce: null,
  failingSinceMs: null,
  isQuick: null,
  failed: [],
  delivered: [],
  ...fields,
});
