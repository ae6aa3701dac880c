import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Change } from '../ledger/changes/change.ts';
import { changeType, formatChange } from '../ledger/changes/format-change.ts';
import { formatTimestamp } from '../values/calendar.ts';
import { WEBHOOK_SECRET_PREFIX } from './new-webhook.ts';
import type { WebhookEndpoint } from './webhook.ts';

const USER_AGENT = 'transactions-webhooks';

/** What is sent to a receiver, before it is signed. */
interface WebhookMessage {
  /** The id of the change: the same for every attempt, every replay and every instance. */
  id: string;
  body: string;
}

/** A change of an account as it is delivered. */
export function changeMessage(account: string, change: Change): WebhookMessage {
  const type = changeType(change);
  const timestamp = formatTimestamp(change.recordedAtMs);
  const data = formatChange(account, change);
  return { id: data.id, body: JSON.stringify({ type, timestamp, data }) };
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
