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
const hashOfNode = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('every length up to three blocks has the hash of node:crypto, in one piece and byte by byte', () => {
  const bytes = Uint8Array.from({ length: 193 }, (_, index) => (index * 167) % 256);
  for (let length = 0; length <= bytes.length; length++) {
    const message = bytes.subarray(0, length);
    const expected = hashOfNode(message);
    assert.equal(hashOf(message), expected, `${length} bytes`);
    assert.equal(hashOf(...Array.from(message, (byte) => Uint8Array.of(byte))), expected, `${length} bytes`);
  }
});

test('bytes in random pieces of one memory have the hash of node:crypto', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6000, size: 'max' }), fc.array(fc.nat(300)), (memory, lengths) => {
      const pieces: Uint8Array[] = [];
      let end = 0;
      for (const length of lengths) {
        pieces.push(memory.subarray(end, end + length));
        end += length;
      }
      assert.equal(hashOf(...pieces), hashOfNode(memory.subarray(0, end)));
    }),
  );
});
