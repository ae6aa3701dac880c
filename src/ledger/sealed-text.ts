import { hkdfSync } from 'node:crypto';
import sodium from 'libsodium-wrappers';
import type { RandomBytes } from '../../values/reference.ts';

/*
 * Unpadded base64url of: version (1 byte), key number (4), nonce (24), ciphertext, tag (16). Version, key
 * number and account are authenticated. Random nonces of 192 bits do not repeat.
 */
const VERSION = 1;
const HEADER_BYTES = 5;
export const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

interface SealingKey {
  number: number;
  header: Buffer;
  key: Uint8Array;
}

const CURSORS = 'transactions cursor 1';

export function deriveKey(secret: string, purpose = CURSORS): SealingKey {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', purpose, 36));
  const header = Buffer.concat([Buffer.of(VERSION), derived.subarray(32)]);
  return { number: header.readUInt32BE(1), header, key: derived.subarray(0, 32) };
}

/**
 * The types of libsodium-wrappers omit these members. A length is passed as its lower and upper 32 bits.
 * If an argument is not used, its address is 0.
 */
interface Libsodium {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _crypto_aead_xchacha20poly1305_ietf_encrypt(...args: number[]): number;
  _crypto_aead_xchacha20poly1305_ietf_decrypt(...args: number[]): number;
}

await sodium.ready;
const { libsodium } = sodium as unknown as { libsodium: Libsodium };
const {
  _crypto_aead_xchacha20poly1305_ietf_encrypt: encrypt,
  _crypto_aead_xchacha20poly1305_ietf_decrypt: decrypt,
} = libsodium;

const MAX_BYTES = 4096;
const MAX_CHARACTERS = Math.floor(MAX_BYTES / 3);

// Offsets of arguments in one block of memory. libsodium-wrappers itself would allocate memory in each call.
const KEY = 0;
const BOUND = KEY + 32;
const TEXT = BOUND + HEADER_BYTES + MAX_BYTES;
const SEALED = TEXT + MAX_BYTES;
const NONCE = SEALED + HEADER_BYTES;
const CIPHERTEXT = NONCE + NONCE_BYTES;
const SIZE = CIPHERTEXT + MAX_BYTES + TAG_BYTES;

const address = libsodium._malloc(SIZE);
// Nothing else allocates memory of libsodium, so its memory never grows and this view stays valid.
const memory = Buffer.from(libsodium.HEAPU8.buffer, address, SIZE);

interface Sealer {
  /** Throws: RangeError if the owner or the values have more than 1365 characters. */
  seal(owner: string, expiresAtMs: number, values: readonly unknown[]): string;
  /** Returns undefined if `sealed` was not sealed for this owner, or was altered. */
  open(owner: string, sealed: string): { expiresAtMs: number; values: unknown[] } | undefined;
}

/** The sealer seals with the first secret, and opens with any of the secrets. */
export function createSealer(
  secrets: readonly string[],
  randomBytes: RandomBytes,
  purpose = CURSORS,
): Sealer {
  const keys = new Map<number, SealingKey>();
  for (const secret of secrets) {
    const key = deriveKey(secret, purpose);
    if (keys.has(key.number)) throw new Error('the same cursor secret is given twice');
    keys.set(key.number, key);
  }
  const [sealing] = keys.values();
  if (sealing === undefined) throw new Error('there is no cursor secret');
  return {
    seal: (owner, expiresAtMs, values) =>
      sealText(sealing, owner, JSON.stringify([expiresAtMs, ...values]), randomBytes(NONCE_BYTES)),
    open: (owner, sealed) => {
      const text = openText(keys, owner, sealed);
      if (text === undefined) return undefined;
      const [expiresAtMs, ...values] = JSON.parse(text);
      return { expiresAtMs, values };
    },
  };
}

export function sealText(key: SealingKey, account: string, text: string, nonce: Uint8Array): string {
  const boundBytes = bind(key, account);
  const textBytes = write(text, TEXT);
  memory.set(key.header, SEALED);
  memory.set(nonce, NONCE);
  const [ciphertext, plaintext, bound] = [address + CIPHERTEXT, address + TEXT, address + BOUND];
  encrypt(ciphertext, 0, plaintext, textBytes, 0, bound, boundBytes, 0, 0, address + NONCE, address + KEY);
  return memory.toString('base64url', SEALED, SEALED + OVERHEAD_BYTES + textBytes);
}

export function openText(
  keys: ReadonlyMap<number, SealingKey>,
  account: string,
  sealed: string,
): string | undefined {
  const sealedBytes = memory.write(sealed, SEALED, 'base64url');
  // The decoder ignores stray bits at the end, but only the canonical spelling is accepted.
  if (memory.toString('base64url', SEALED, SEALED + sealedBytes) !== sealed) return undefined;
  const textBytes = sealedBytes - OVERHEAD_BYTES;
  const key = keys.get(memory.readUInt32BE(SEALED + 1));
  if (textBytes <= 0 || key === undefined || memory[SEALED] !== VERSION) return undefined;
  const boundBytes = bind(key, account);
  const [ciphertext, plaintext, bound] = [address + CIPHERTEXT, address + TEXT, address + BOUND];
  const length = textBytes + TAG_BYTES;
  const nonce = address + NONCE;
  const failed = decrypt(plaintext, 0, 0, ciphertext, length, 0, bound, boundBytes, 0, nonce, address + KEY);
  return failed === 0 ? memory.toString('utf8', TEXT, TEXT + textBytes) : undefined;
}

/** Returns the length of the header and the account, which are authenticated but not encrypted. */
function bind({ header, key }: SealingKey, account: string): number {
  memory.set(key, KEY);
  memory.set(header, BOUND);
  return HEADER_BYTES + write(account, BOUND + HEADER_BYTES);
}

function write(text: string, at: number): number {
  if (text.length > MAX_CHARACTERS) throw new RangeError('the text is too long to be sealed');
  return memory.write(text, at);
}
