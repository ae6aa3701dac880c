import assert from 'node:assert/strict';
import { test } from 'node:test';
import sodium from 'libsodium-wrappers';
import { deriveKey, NONCE_BYTES, openText, sealText } from './sealed-text.ts';

const KEYS = [deriveKey('a secret of the tests'), deriveKey('another secret of the tests')] as const;
const BY_NUMBER = new Map(KEYS.map((key) => [key.number, key]));
const NONCE = new Uint8Array(NONCE_BYTES).fill(7);
const MAX_CHARACTERS = 1365;

test("a sealed text is the same as that of libsodium's documented function", () => {
  const [key] = KEYS;
  const bound = Buffer.concat([key.header, Buffer.from('store-é')]);
  const text = 'text with é, 試 and 🙂';
  const ciphertext = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(text, bound, null, NONCE, key.key);
  const expected = Buffer.concat([key.header, NONCE, ciphertext]).toString('base64url');
  assert.equal(sealText(key, 'store-é', text, NONCE), expected);
});

test('a text or an account that is too long for the memory is refused, and the longest that fits is not', () => {
  const [key] = KEYS;
  const longest = '試'.repeat(MAX_CHARACTERS);
  assert.equal(openText(BY_NUMBER, longest, sealText(key, longest, longest, NONCE)), longest);
  assert.throws(() => sealText(key, 'store-1', `${longest}x`, NONCE), RangeError);
  assert.throws(() => sealText(key, `${longest}x`, 'text', NONCE), RangeError);
});

test('a sealed text that is too long for the memory does not open', () => {
  const sealed = sealText(KEYS[0], 'store-1', 'text', NONCE);
  for (const length of [1, 100, 10_000, 100_000])
    assert.equal(openText(BY_NUMBER, 'store-1', sealed + 'A'.repeat(length)), undefined);
});
