import { formatTimestamp } from '../../values/calendar.ts';
import type { Change } from '../ledger/changes/change.ts';
import { changeType, formatChange } from '../ledger/changes/change.ts';
import { signatureOf } from './signing.ts';
import type { WebhookEndpoint } from './webhook.ts';

const USER_AGENT = 'transactions-webhooks';

/** The message to a receiver, before it is signed. */
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
  const signatures = [signatureOf(endpoint, signed)];
  if (previousSecret !== null && nowMs < previousSecret.untilMs)
    signatures.push(signatureOf(previousSecret, signed));
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
