import { hkdfSync } from 'node:crypto';
import sodium from 'libsodium-wrappers';
import type { RandomBytes } from '../reference.ts';
import { type CarriedFilter, carriedFilter } from './carried-filter.ts';
import type { ListFilter } from './list-filter.ts';
import type { Position } from './list-query.ts';

/** The content of a cursor: the list, the position in it, and when the cursor expires. */
export interface CursorContent {
  filter: ListFilter;
  after: Position;
  expiresAtMs: number;
}

export interface OpenedContent extends Omit<CursorContent, 'filter'> {
  filter: CarriedFilter;
}

export type OpenedCursor =
  | { outcome: 'opened'; content: OpenedContent }
  | { outcome: 'expired'; content: OpenedContent }
  /** Not issued by this service, altered, or of another account. The outcome does not say which. */
  | { outcome: 'malformed' };

export interface CursorSealer {
  seal(account: string, content: CursorContent): string;
  open(account: string, cursor: string, nowMs: number): OpenedCursor;
}

export const CURSOR_MAX_CHARACTERS = 512;
export const CURSOR_FORM = `^[A-Za-z0-9_-]{1,${CURSOR_MAX_CHARACTERS}}$`;

const CURSOR = new RegExp(CURSOR_FORM);

await sodium.ready;
const {
  crypto_aead_xchacha20poly1305_ietf_encrypt: encrypt,
  crypto_aead_xchacha20poly1305_ietf_decrypt: decrypt,
} = sodium;

/*
 * A sealed cursor is, in unpadded base64url: version (1 byte), key number (4), nonce (24), ciphertext, tag (16).
 * XChaCha20-Poly1305 has nonces of 192 bits, so random nonces do not repeat, however many pages are read.
 * Version, key number and account are authenticated, so a cursor opens only for its own account.
 */
const VERSION = 1;
const HEADER_BYTES = 5;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

type Payload = [
  expiresAtMs: number,
  createdAtMs: number,
  reference: string,
  status: string | null,
  currency: string | null,
  from: string | null,
  to: string | null,
  logPosition?: string | null,
  merchantReference?: CarriedFilter['merchantReference'],
];

interface CursorKey {
  header: Buffer;
  key: Uint8Array;
}

function deriveKey(secret: string): CursorKey {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'transactions cursor 1', 36));
  return {
    header: Buffer.concat([Buffer.of(VERSION), derived.subarray(32)]),
    key: new Uint8Array(derived.subarray(0, 32)),
  };
}

/**
 * Seals cursors with the first secret, and opens cursors sealed with any of them.
 *
 * Throws: an error if there is no secret, or the same secret twice.
 */
export function createCursorSealer(secrets: readonly string[], randomBytes: RandomBytes): CursorSealer {
  const keys = new Map<number, CursorKey>();
  for (const secret of secrets) {
    const key = deriveKey(secret);
    const number = key.header.readUInt32BE(1);
    if (keys.has(number)) throw new Error('the same cursor secret is given twice');
    keys.set(number, key);
  }
  const [sealing] = keys.values();
  if (sealing === undefined) throw new Error('there is no cursor secret');

  return {
    seal(account, { filter, after, expiresAtMs }) {
      const payload: Payload = [
        expiresAtMs,
        after.createdAtMs,
        after.reference,
        filter.status,
        filter.currency,
        filter.from,
        filter.to,
      ];
      const { merchantReference } = carriedFilter(filter);
      if (merchantReference !== null) payload.push(after.logPosition ?? null, merchantReference);
      else if (after.logPosition !== undefined) payload.push(after.logPosition);
      const nonce = randomBytes(NONCE_BYTES);
      const bound = associatedData(sealing.header, account);
      // Bytes, because libsodium's own conversion of text costs as much as the encryption.
      const sealed = encrypt(Buffer.from(JSON.stringify(payload)), bound, null, nonce, sealing.key);
      return Buffer.concat([sealing.header, nonce, sealed]).toString('base64url');
    },

    open(account, cursor, nowMs) {
      const payload = unseal(keys, account, cursor);
      if (payload === undefined) return { outcome: 'malformed' };
      const [
        expiresAtMs,
        createdAtMs,
        reference,
        status,
        currency,
        from,
        to,
        logPosition = null,
        carried = null,
      ] = payload;
      const content = {
        filter: { status, currency, from, to, merchantReference: carried },
        after: { createdAtMs, reference, ...(logPosition !== null && { logPosition }) },
        expiresAtMs,
      };
      return { outcome: nowMs < expiresAtMs ? 'opened' : 'expired', content };
    },
  };
}

function associatedData(header: Buffer, account: string): Buffer {
  return Buffer.concat([header, Buffer.from(account)]);
}

function unseal(keys: ReadonlyMap<number, CursorKey>, account: string, cursor: string): Payload | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores stray bits at the end: only the canonical spelling is accepted.
  if (bytes.length <= OVERHEAD_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const key = keys.get(bytes.readUInt32BE(1));
  if (key === undefined || bytes[0] !== VERSION) return undefined;
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const sealed = bytes.subarray(HEADER_BYTES + NONCE_BYTES);
  try {
    const opened = decrypt(null, sealed, associatedData(key.header, account), nonce, key.key);
    return JSON.parse(Buffer.from(opened.buffer, opened.byteOffset, opened.length).toString());
  } catch {
    // The tag does not match: the cursor was altered, or sealed for another account.
    return undefined;
  }
}
