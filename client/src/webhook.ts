import type { Change } from './change.ts';
import { isChange } from './change-page.ts';
import { ArgumentError, WebhookVerificationError } from './errors.ts';
import { isObject, isText } from './response.ts';
import { bytesOfHex, Sha256 } from './sha256.ts';

export interface ChangeEvent {
  /** The same in each delivery of the change. A receiver that stores it can handle each change once. */
  id: string;
  /** Such as `transaction.completed`. */
  type: `transaction.${string}`;
  /** When the change was recorded: UTC with milliseconds. */
  timestamp: string;
  data: Change;
}

/** An event that is not about a transaction: the test of an endpoint, and events that later versions add. */
export interface EndpointEvent {
  id: string;
  type: `webhook.${string}`;
  timestamp: string;
  data: null;
}

/** `data`, or the beginning of `type`, tells whether the event is about a transaction. */
export type WebhookEvent = ChangeEvent | EndpointEvent;

/** The headers of a request from fetch or node:http. Upper and lower case of the names make no difference. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** Milliseconds since 1970. Default: Date.now. */
  now?: () => number;
}

const SECRET = /^(whsec|whpk)_([A-Za-z\d+/]+={0,2})$/;
/** Older deliveries are refused, because they can be replays. Source: Standard Webhooks 1.0.0. */
const TOLERANCE_SECONDS = 300;

/**
 * Returns the event if the request was signed with one of the secrets within five minutes of now.
 *
 * `body` is the body as it was received: text or bytes, not parsed.
 *
 * @example
 * const event = verifyWebhook(await request.text(), request.headers, secret);
 * if (event.type === 'transaction.completed') console.log(event);
 * @throws WebhookVerificationError for a request that must not be trusted.
 * @throws ArgumentError if the body or a secret can't be right.
 */
export function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { now = Date.now }: VerifyOptions = {},
): WebhookEvent {
  const bytes = bytesOf(body);
  const keys = keysOf(secrets);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  ) as [string, string, string];
  checkTime(timestamp, now());
  const given = signatures.split(' ');
  let isSigned = false;
  for (const key of keys) {
    if (key.isPublic) {
      isSigned =
        given.some((signature) => isSignedBy(key.bytes, signature, id, timestamp, bytes)) || isSigned;
      continue;
    }
    const signature = signatureOf(key.bytes, id, timestamp, bytes);
    for (const one of given) isSigned = isSame(one, signature) || isSigned;
  }
  if (!isSigned)
    throw new WebhookVerificationError(
      'No signature matches: the secret belongs to another endpoint, or the body is not the one that was received, byte for byte.',
    );
  return { id, ...readEvent(bytes) };
}

/**
 * Returns the headers with which the service would deliver `body`. Use them to test a receiver.
 *
 * @example const event = verifyWebhook(body, signWebhook(body, secret), secret);
 * @throws ArgumentError if the body or the secret can't be right.
 */
export function signWebhook(
  body: string | Uint8Array | ArrayBuffer,
  secret: string,
  { id = 'msg_test', now = Date.now }: { id?: string; now?: () => number } = {},
): Record<string, string> {
  const seconds = String(Math.floor(now() / 1000));
  const [key] = keysOf(secret) as [Key];
  if (key.isPublic) throw new ArgumentError('A public key does not sign: pass a secret, whsec_ and base64.');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatureOf(key.bytes, id, seconds, bytesOf(body)),
  };
}

interface Key {
  bytes: Uint8Array;
  /** True for the public key of an endpoint that signs with `v1a`. */
  isPublic: boolean;
}

interface NodeCrypto {
  createPublicKey(key: { key: Record<string, string>; format: 'jwk' }): object;
  verify(algorithm: null, data: Uint8Array, key: object, signature: Uint8Array): boolean;
}

const headOf = (id: string, seconds: string) => new TextEncoder().encode(`${id}.${seconds}.`);

/** Verifies Ed25519 with node:crypto, because Web Crypto is asynchronous. */
function isSignedBy(
  key: Uint8Array,
  signature: string,
  id: string,
  seconds: string,
  body: Uint8Array,
): boolean {
  const [, base64] = /^v1a,([A-Za-z\d+/]{86}==)$/.exec(signature) ?? [];
  if (base64 === undefined) return false;
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const crypto = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (crypto === undefined)
    throw new ArgumentError(
      'A public key needs node:crypto: Node 20.16 or later, or another platform that has it.',
    );
  const x = btoa(String.fromCharCode(...key))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
  const publicKey = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const head = headOf(id, seconds);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return crypto.verify(null, signed, publicKey, bytesOfBase64(base64));
}

const bytesOfBase64 = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Source: Standard Webhooks 1.0.0. */
function signatureOf(key: Uint8Array, id: string, seconds: string, body: Uint8Array): string {
  const head = headOf(id, seconds);
  return `v1,${btoa(String.fromCharCode(...hmacSha256(key, head, body)))}`;
}

function bytesOf(body: unknown): Uint8Array {
  if (isText(body)) return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new ArgumentError('The body must be text or bytes as received, before JSON is parsed.');
}

function keysOf(secrets: string | readonly string[]): Key[] {
  const texts = isText(secrets) ? [secrets] : secrets;
  if (!Array.isArray(texts) || texts.length === 0)
    throw new ArgumentError('The secret of the endpoint is missing.');
  return texts.map((text) => {
    const [, kind, base64] = SECRET.exec(String(text)) ?? [];
    const isPublic = kind === 'whpk';
    if (
      base64 === undefined ||
      base64.replace(/=+$/, '').length % 4 === 1 ||
      (isPublic && base64.length !== 44)
    )
      // The message does not show the secret.
      throw new ArgumentError(
        'A secret of an endpoint is whsec_ and base64, and a public key whpk_ and base64 of 32 bytes.',
      );
    return { bytes: bytesOfBase64(base64), isPublic };
  });
}

function readHeader(headers: WebhookHeaders, name: string): string {
  let value: unknown;
  if (typeof headers.get === 'function') value = headers.get(name);
  else {
    const key = Object.keys(headers).find((header) => header.toLowerCase() === name);
    value = key === undefined ? undefined : (headers as Record<string, unknown>)[key];
  }
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (!isText(text) || text === '')
    throw new WebhookVerificationError(`The request has no ${name} header, so it is not a delivery.`);
  return text;
}

function checkTime(timestamp: string, nowMs: number): void {
  if (!/^\d{1,11}$/.test(timestamp))
    throw new WebhookVerificationError('The webhook-timestamp header is not a number of seconds.');
  const age = Math.floor(nowMs / 1000) - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return;
  const when = age > 0 ? `${age} s ago` : `${-age} s in the future`;
  throw new WebhookVerificationError(
    `The request was signed ${when}, and at most ${TOLERANCE_SECONDS} s are accepted. Is the clock of this machine right?`,
  );
}

/** The time of the comparison does not depend on where the texts differ. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < right.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

function readEvent(bytes: Uint8Array): Omit<ChangeEvent, 'id'> | Omit<EndpointEvent, 'id'> {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder().decode(bytes));
  } catch {}
  if (isObject(event) && isText(event['type']) && isText(event['timestamp'])) {
    const { type, timestamp, data } = event as { type: string; timestamp: string; data: unknown };
    if (!type.startsWith('transaction.'))
      return { type: type as EndpointEvent['type'], timestamp, data: null };
    if (isChange(data)) return { type: type as ChangeEvent['type'], timestamp, data };
  }
  throw new WebhookVerificationError('The request is signed, but its body is not an event of this service.');
}

const BLOCK_BYTES = 64;

function hashOf(...pieces: Uint8Array[]): Uint8Array {
  const hash = new Sha256();
  for (const piece of pieces) hash.update(piece);
  return bytesOfHex(hash.hex());
}

/** Source: RFC 2104. */
function hmacSha256(key: Uint8Array, ...message: Uint8Array[]): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? hashOf(key) : key);
  const inner = hashOf(
    block.map((byte) => byte ^ 0x36),
    ...message,
  );
  return hashOf(
    block.map((byte) => byte ^ 0x5c),
    inner,
  );
}
