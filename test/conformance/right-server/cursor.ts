import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Filter } from './filter.ts';
import type { Position } from './transaction.ts';

/** What a cursor contains. It is valid before `expiresAtMs`. */
export type CursorContents = { filter: Filter; position: Position; expiresAtMs: number };

const KEY_NUMBER = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
const MAX_CHARACTERS = 512;
const MAX_TEXT_BYTES = 100;
const HASHED = 'sha256:';

/**
 * Seals a cursor: key number, salt, ciphertext and tag. Each cursor has a key of its own, which follows from the
 * secret and the random salt, so that no key is used twice. The account is authenticated, not contained.
 */
export function sealCursor(secret: Buffer, account: string, contents: object): string {
  const salt = randomBytes(SALT_BYTES);
  const { key, nonce } = deriveKey(secret, salt);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(account));
  const sealed = [cipher.update(JSON.stringify(contents)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([Buffer.of(KEY_NUMBER), salt, ...sealed]).toString('base64url');
}

/** Returns undefined for anything that this service did not seal for this account, letter for letter. */
export function unsealCursor<Contents = CursorContents>(
  secret: Buffer,
  account: string,
  cursor: string,
): Contents | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  const isCanonical = bytes.toString('base64url') === cursor && cursor.length <= MAX_CHARACTERS;
  if (!isCanonical || bytes[0] !== KEY_NUMBER || bytes.length <= 1 + SALT_BYTES + TAG_BYTES) return undefined;
  const { key, nonce } = deriveKey(secret, bytes.subarray(1, 1 + SALT_BYTES));
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(account)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = [decipher.update(bytes.subarray(1 + SALT_BYTES, -TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(opened).toString());
  } catch {
    return undefined;
  }
}

function deriveKey(secret: Buffer, salt: Buffer): { key: Buffer; nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, 'cursor', 44));
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}

/** A long text of a filter does not fit into a cursor: its hash stands for it, and `texts` keeps the text. */
export function shorten(filter: Filter, texts: Map<string, string>): Filter {
  const { merchantReference: text } = filter;
  if (text === undefined || (Buffer.byteLength(text) <= MAX_TEXT_BYTES && !text.startsWith(HASHED)))
    return filter;
  const short = HASHED + createHash('sha256').update(text).digest('base64url');
  texts.set(short, text);
  return { ...filter, merchantReference: short };
}

/** The filter that was shortened. */
export function lengthen(filter: Filter, texts: Map<string, string>): Filter {
  const text = texts.get(filter.merchantReference ?? '');
  return text === undefined ? filter : { ...filter, merchantReference: text };
}
