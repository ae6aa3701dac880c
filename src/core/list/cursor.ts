import { hkdfSync } from 'node:crypto';
import sodium from 'libsodium-wrappers';
import type { RandomBytes } from '../reference.ts';
import { type CarriedFilter, carriedFilter } from './carried-filter.ts';
import type { ListFilter } from './list-filter.ts';
import type { Position } from './list-query.ts';

/** What a cursor carries: which list, how far it was read, and until when it may be used. */
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
  /** Not ours, altered, or another account's: which one is not told. */
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
 * XChaCha20-Poly1305 takes random nonces of 192 bits, so no number of pages comes near a repeated one.
 * Version, key number and account are authenticated with it: a cursor opens for its own account alone.
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
 * Seals and opens cursors: the first secret seals, every one opens.
 *
 * Throws: an error where there is no secret, or one is given twice.
 */
export function createCursorSealer(secrets: readonly string[], randomBytes: RandomBytes): CursorSealer {
  const keys = new Map<number, CursorKey>();
  for (const secret of secrets) {
    const key = deriveKey(secret);
    const number = key.header.readUInt32BE(1);
    if (keys.has(number)) throw new Error('a cursor secret is given twice');
    keys.set(number, key);
  }
  const [sealing] = keys.values();
  if (sealing === undefined) throw new Error('sealing cursors needs a secret');

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
      // As bytes, in and out: libsodium's own conversions of text cost as much as its cipher.
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
  // Decoding forgives a tail with stray bits: only the one canonical spelling is ours.
  if (bytes.length <= OVERHEAD_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const key = keys.get(bytes.readUInt32BE(1));
  if (key === undefined || bytes[0] !== VERSION) return undefined;
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const sealed = bytes.subarray(HEADER_BYTES + NONCE_BYTES);
  try {
    const opened = decrypt(null, sealed, associatedData(key.header, account), nonce, key.key);
    return JSON.parse(Buffer.from(opened.buffer, opened.byteOffset, opened.length).toString());
  } catch {
    // The tag does not fit: altered, or sealed for another account.
    return undefined;
  }
}
