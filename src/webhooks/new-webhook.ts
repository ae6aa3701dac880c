import { randomBase62 } from '../values/base62.ts';
import type { RandomBytes } from '../values/reference.ts';
import type { WebhookEndpoint } from './webhook.ts';
import type { WebhookFields } from './webhook-fields.ts';

export const WEBHOOK_ID_FORM = '^we_[0-9A-Za-z]{16}$';
/** Base64 follows. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

const WEBHOOK_ID = new RegExp(WEBHOOK_ID_FORM);
const SECRET_BYTES = 32;

export function isWebhookId(text: string): boolean {
  return WEBHOOK_ID.test(text);
}

/** A secret that signs webhooks: `whsec_` and the base64 of 32 random bytes. Source: Standard Webhooks 1.0.0. */
export function newWebhookSecret(randomBytes: RandomBytes): string {
  return WEBHOOK_SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

/** A new endpoint of an account, for the changes after `headSequence`. */
export function newWebhook(
  account: string,
  fields: WebhookFields,
  headSequence: number,
  nowMs: number,
  randomBytes: RandomBytes,
): WebhookEndpoint {
  return {
    id: `we_${randomBase62(16, randomBytes)}`,
    account,
    ...fields,
    secret: newWebhookSecret(randomBytes),
    previousSecret: null,
    createdAtMs: nowMs,
    disabled: null,
    version: 1,
    replayVersion: 0,
    acknowledgedSequence: headSequence,
    failingSinceMs: null,
  };
}
