import { hash } from 'node:crypto';
import { BASE62, randomBase62 } from '../../values/base62.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { WebhookEndpoint } from './webhook.ts';
import type { NewWebhookFields } from './webhook-fields.ts';
import { newWebhookSecret } from './webhook-message.ts';

const ID_CHARACTERS = 16;

export const newWebhookId = (randomBytes: RandomBytes): string =>
  `we_${randomBase62(ID_CHARACTERS, randomBytes)}`;

/**
 * The id of the endpoint that requests with an idempotency key create. Because the id is the primary key of
 * the table, the endpoint cannot be created twice.
 */
export function repeatedWebhookId(account: string, idempotencyKey: string): string {
  const digest = Buffer.from(hash('sha512', `${account} ${idempotencyKey}`, 'hex'), 'hex');
  return `we_${[...digest.subarray(0, ID_CHARACTERS)].map((byte) => BASE62[byte % BASE62.length]).join('')}`;
}

/** A new endpoint of an account, for the changes after `headSequence`. */
export function newWebhook(
  { account, id }: Pick<WebhookEndpoint, 'account' | 'id'>,
  { signing, ...fields }: NewWebhookFields,
  headSequence: number,
  nowMs: number,
  randomBytes: RandomBytes,
): WebhookEndpoint {
  return {
    id,
    account,
    ...fields,
    secret: newWebhookSecret(signing, randomBytes),
    previousSecret: null,
    createdAtMs: nowMs,
    disabled: null,
    version: nowMs,
    replayVersion: nowMs,
    acknowledgedSequence: headSequence,
    failingSinceMs: null,
    isQuick: null,
  };
}
