import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Sha256 } from '../../client/src/sha256.ts';

test('the hash includes lengths of more than 2^32 bits', () => {
  const megabyte = new Uint8Array(2 ** 20);
  const [own, node] = [new Sha256(), createHash('sha256')];
  for (let count = 0; count < 512; count++) {
    own.update(megabyte);
    node.update(megabyte);
  }
  own.update(Uint8Array.of(7));
  assert.equal(own.hex(), node.update(Uint8Array.of(7)).digest('hex'));
});
