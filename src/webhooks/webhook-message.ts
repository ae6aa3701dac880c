import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Change } from '../ledger/changes/change.ts';
import { changeType, formatChange } from '../ledger/changes/format-change.ts';
import { BASE62 } from '../values/base62.ts';
import { formatTimestamp } from '../values/calendar.ts';
import { WEBHOOK_SECRET_PREFIX } from './new-webhook.ts';
import type { WebhookEndpoint } from './webhook.ts';

/** Characters of an id after `msg_`: more than 128 bits. */
const ID_CHARACTERS = 22;

const USER_AGENT = 'transactions-webhooks';

/** What is sent to a receiver, before it is signed. */
export interface WebhookMessage {
  /** The same for every attempt, every replay and every instance. */
  id: string;
  body: string;
}

/** A change of an account as it is delivered. */
export function changeMessage(account: string, change: Change): WebhookMessage {
  const type = changeType(change);
  const { sequence, recordedAtMs, transaction } = change;
  // With the reference and the type, a number that a restored database gives to another change has another id.
  const id = messageId([account, String(sequence), transaction.reference, type]);
  const timestamp = formatTimestamp(recordedAtMs);
  return { id, body: JSON.stringify({ type, timestamp, data: formatChange(change) }) };
}

/** An id made of texts without line breaks. Equal texts have an equal id. */
export function messageId(parts: readonly string[]): string {
  let rest = BigInt(`0x${hash('sha256', parts.join('\n'))}`);
  let text = '';
  for (let count = 0; count < ID_CHARACTERS; count++) {
    text += BASE62[Number(rest % 62n)];
    rest /= 62n;
  }
  return `msg_${text}`;
}

/**
 * The headers of an attempt, signed with every secret that is valid now.
 *
 * Source: Standard Webhooks 1.0.0.
 */
export function signedHeaders(
  { id, body }: WebhookMessage,
  endpoint: Pick<WebhookEndpoint, 'secret' | 'previousSecret'>,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const { previousSecret } = endpoint;
  const signatures = [signature(endpoint, signed)];
  if (previousSecret !== null && nowMs < previousSecret.untilMs)
    signatures.push(signature(previousSecret, signed));
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The keys of secrets: making one takes longer than signing with it. */
const KEYS = new WeakMap<object, KeyObject>();

function signature(owner: { secret: string }, signed: string): string {
  let key = KEYS.get(owner);
  if (key === undefined) {
    key = createSecretKey(Buffer.from(owner.secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64'));
    KEYS.set(owner, key);
  }
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
