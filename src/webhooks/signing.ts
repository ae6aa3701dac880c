import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { RandomBytes } from '../../values/reference.ts';

/**
 * How deliveries are signed: with a secret that both sides have (HMAC-SHA256), or with a key whose public
 * half the receiver has (Ed25519).
 */
export const WEBHOOK_SIGNINGS = ['v1', 'v1a'] as const;
export type WebhookSigning = (typeof WEBHOOK_SIGNINGS)[number];

/** Base64 follows. Source: Standard Webhooks 1.0.0. */
const PREFIXES = { v1: 'whsec_', v1a: 'whsk_' } as const;
const PUBLIC_PREFIX = 'whpk_';

const SECRET_BYTES = 32;
/** The bytes before the 32 bytes of a private key of Ed25519 in PKCS #8. Source: RFC 8410. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A secret that signs webhooks: the prefix of its kind and the base64 of 32 random bytes. */
export function newWebhookSecret(signing: WebhookSigning, randomBytes: RandomBytes): string {
  return PREFIXES[signing] + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

export const signingOf = (secret: string): WebhookSigning => (secret.startsWith(PREFIXES.v1a) ? 'v1a' : 'v1');

/** The key with which a receiver verifies; null if it needs the secret itself. */
export function publicKeyOf(secret: string): string | null {
  if (signingOf(secret) === 'v1') return null;
  const { x = '' } = createPublicKey(keyOf(secret)).export({ format: 'jwk' });
  return PUBLIC_PREFIX + Buffer.from(x, 'base64url').toString('base64');
}

/** The secret, shown once when made: null if a public key verifies, because the secret key stays here. */
export const shownSecretOf = (secret: string): string | null => (signingOf(secret) === 'v1' ? secret : null);

function keyOf(secret: string): KeyObject {
  const signing = signingOf(secret);
  const bytes = Buffer.from(secret.slice(PREFIXES[signing].length), 'base64');
  return signing === 'v1'
    ? createSecretKey(bytes)
    : createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' });
}

/** The keys of secrets: making one takes longer than signing with it. */
const KEYS = new WeakMap<object, KeyObject>();

/** The signature of a text with the secret of an endpoint, or with one that it had before. */
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
