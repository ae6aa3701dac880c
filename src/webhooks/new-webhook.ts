import { hash } from 'node:crypto';
import { BASE62, randomBase62 } from '../values/base62.ts';
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

const ID_CHARACTERS = 16;

export const newWebhookId = (randomBytes: RandomBytes): string =>
  `we_${randomBase62(ID_CHARACTERS, randomBytes)}`;

/** The id of the endpoint that requests with an idempotency key create: the primary key of the table keeps it from being created twice. */
export function repeatedWebhookId(account: string, idempotencyKey: string): string {
  const digest = Buffer.from(hash('sha512', `${account} ${idempotencyKey}`, 'hex'), 'hex');
  return `we_${[...digest.subarray(0, ID_CHARACTERS)].map((byte) => BASE62[byte % BASE62.length]).join('')}`;
}

/** A new endpoint of an account, for the changes after `headSequence`. */
export function newWebhook(
  { account, id }: Pick<WebhookEndpoint, 'account' | 'id'>,
  fields: WebhookFields,
  headSequence: number,
  nowMs: number,
  randomBytes: RandomBytes,
): WebhookEndpoint {
  return {
    id,
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
