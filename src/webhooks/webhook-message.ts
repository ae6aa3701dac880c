import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { formatTimestamp } from '../../values/calendar.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { Change } from '../ledger/changes/change.ts';
import { changeType, formatChange } from '../ledger/changes/change.ts';
import type { WebhookEndpoint } from './webhook.ts';

const USER_AGENT = 'transactions-webhooks';

interface WebhookMessage {
  /** The id of the change. It is the same for every attempt, replay and instance. */
  id: string;
  body: string;
}

export function changeMessage(account: string, change: Change): WebhookMessage {
  const type = changeType(change);
  const timestamp = formatTimestamp(change.recordedAtMs);
  const data = formatChange(account, change);
  return { id: data.id, body: JSON.stringify({ type, timestamp, data }) };
}

/** The headers are signed with every secret that is valid now. Source: Standard Webhooks 1.0.0. */
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

/** `v1`: with a shared secret (HMAC-SHA256). `v1a`: with a private key of the service (Ed25519). */
export const WEBHOOK_SIGNINGS = ['v1', 'v1a'] as const;
export type WebhookSigning = (typeof WEBHOOK_SIGNINGS)[number];

/** Each prefix is followed by base64. Source: Standard Webhooks 1.0.0. */
const PREFIXES = { v1: 'whsec_', v1a: 'whsk_' } as const;
const PUBLIC_PREFIX = 'whpk_';

const SECRET_BYTES = 32;
/** The bytes before the 32 bytes of a private key of Ed25519 in PKCS #8. Source: RFC 8410. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function newWebhookSecret(signing: WebhookSigning, randomBytes: RandomBytes): string {
  return PREFIXES[signing] + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

export const signingOf = (secret: string): WebhookSigning => (secret.startsWith(PREFIXES.v1a) ? 'v1a' : 'v1');

export function publicKeyOf(secret: string): string | null {
  if (signingOf(secret) === 'v1') return null;
  const { x = '' } = createPublicKey(keyOf(secret)).export({ format: 'jwk' });
  return PUBLIC_PREFIX + Buffer.from(x, 'base64url').toString('base64');
}

export const shownSecretOf = (secret: string): string | null => (signingOf(secret) === 'v1' ? secret : null);

function keyOf(secret: string): KeyObject {
  const signing = signingOf(secret);
  const bytes = Buffer.from(secret.slice(PREFIXES[signing].length), 'base64');
  return signing === 'v1'
    ? createSecretKey(bytes)
    : createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' });
}

/** Making a key from a secret takes longer than signing with the key. */
const KEYS = new WeakMap<object, KeyObject>();

export function signatureOf(owner: { secret: string }, signed: string): string {
  let key = KEYS.get(owner);
  if (key === undefined) {
    key = keyOf(owner.secret);
    KEYS.set(owner, key);
  }
  return signingOf(owner.secret) === 'v1'
    ? `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    : `v1a,${sign(null, Buffer.from(signed), key).toString('base64')}`;
}
