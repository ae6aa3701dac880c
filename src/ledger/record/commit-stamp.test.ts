import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitStamper, randomNonce } from '../changes/change.ts';

test('each stamp has another nonce, also while the clock stands still', () => {
  const stampCommit = commitStamper(() => 1000);
  const stamps = Array.from({ length: 1000 }, stampCommit);
  assert.equal(new Set(stamps.map(({ nonce }) => nonce)).size, 1000);
  assert.ok(stamps.every(({ recordedAtMs }) => recordedAtMs === 1000));
});

test('a nonce is a whole number from 1 that JavaScript holds exactly, and uses all its bits', () => {
  const nonces = Array.from({ length: 1000 }, randomNonce);
  for (const nonce of nonces) assert.ok(Number.isSafeInteger(nonce) && nonce >= 1, String(nonce));
  for (let bit = 0n; bit < 52n; bit++) {
    const set = nonces.filter((nonce) => (BigInt(nonce - 1) >> bit) & 1n).length;
    assert.ok(set > 300 && set < 700, `bit ${bit} is set ${set} times`);
  }
});
