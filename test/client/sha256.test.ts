import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Sha256 } from '../../client/src/sha256.ts';
import { fc } from '../rig/run/properties.ts';

function hashOf(...pieces: Uint8Array[]): string {
  const hash = new Sha256();
  for (const piece of pieces) hash.update(piece);
  return hash.hex();
}
const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOfNode = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Of NIST: the examples of FIPS 180-4, and messages of SHA256ShortMsg.rsp of the Cryptographic Algorithm Validation Program. */
const VECTORS: [message: Uint8Array, hash: string][] = [
  [bytesOf(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [bytesOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    bytesOf('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'),
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  [
    bytesOf(
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    ),
    'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  ],
  [Uint8Array.of(0xd3), '28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1'],
  [Uint8Array.of(0x11, 0xaf), '5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98'],
];

test('the hashes are those of NIST', () => {
  for (const [message, hash] of VECTORS) assert.equal(hashOf(message), hash);
  const million = new Uint8Array(1000).fill(0x61);
  const pieces = Array.from({ length: 1000 }, () => million);
  assert.equal(hashOf(...pieces), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
});

test('every length up to three blocks has the hash of node:crypto, in one piece and byte by byte', () => {
  const bytes = Uint8Array.from({ length: 193 }, (_, index) => (index * 167) % 256);
  for (let length = 0; length <= bytes.length; length++) {
    const message = bytes.subarray(0, length);
    const expected = hashOfNode(message);
    assert.equal(hashOf(message), expected, `${length} bytes`);
    assert.equal(hashOf(...Array.from(message, (byte) => Uint8Array.of(byte))), expected, `${length} bytes`);
  }
});

test('bytes in random pieces have the hash of node:crypto, and so has each beginning', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (pieces) => {
      const own = new Sha256();
      const node = createHash('sha256');
      for (const piece of pieces) {
        own.update(piece);
        node.update(piece);
        assert.equal(own.hex(), node.copy().digest('hex'));
      }
    }),
  );
});

test('a piece can be part of a larger memory', () => {
  const memory = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
  for (const from of [1, 2, 3, 63, 64, 65])
    assert.equal(hashOf(memory.subarray(from, 900)), hashOfNode(memory.subarray(from, 900)));
});

test('the constants do not depend on how an engine rounds', () => {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  for (const prime of primes) {
    for (const root of [Math.cbrt(prime), Math.sqrt(prime)]) {
      // Engines differ in the last bits of 53. The constants are bits 1 to 32 after the point.
      const scaled = (root % 1) * 2 ** 32;
      const distance = Math.abs(scaled - Math.round(scaled));
      assert.ok(distance > 2 ** -12, `${prime}: ${distance}`);
    }
  }
});
