import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGE_ID_FORM, changeId, commitStamper, randomNonce } from './change.ts';

test('the id of a change never changes, and differs for each account, number and nonce', () => {
  const change = { sequence: 7, nonce: 1 };
  const id = changeId('shop-1', change);
  // Webhook receivers and copies of the feed store this id, so no version of the service may change it.
  assert.equal(id, 'chg_33fKRfp854BcH-UKdFCrn7');
  const others = [
    changeId('shop-2', change),
    changeId('shop-1', { ...change, sequence: 8 }),
    changeId('shop-1', { ...change, nonce: 2 }),
    changeId('shop-1', { sequence: 71, nonce: 1 }),
  ];
  assert.equal(new Set([id, ...others]).size, 5);
  for (const one of [id, ...others]) assert.match(one, new RegExp(CHANGE_ID_FORM));
  assert.equal(changeId('shop-1', { ...change }), id);
});

test('each stamp has a new nonce, even while the clock stands still', () => {
  const stampCommit = commitStamper(() => 1000);
  const stamps = Array.from({ length: 1000 }, stampCommit);
  assert.equal(new Set(stamps.map(({ nonce }) => nonce)).size, 1000);
  assert.ok(stamps.every(({ recordedAtMs }) => recordedAtMs === 1000));
});

test('a nonce is a whole number from 1 to 2^52, and every bit of it is random', () => {
  const nonces = Array.from({ length: 1000 }, randomNonce);
  for (const nonce of nonces) assert.ok(Number.isSafeInteger(nonce) && nonce >= 1, String(nonce));
  for (let bit = 0n; bit < 52n; bit++) {
    const set = nonces.filter((nonce) => (BigInt(nonce - 1) >> bit) & 1n).length;
    assert.ok(set > 300 && set < 700, `bit ${bit} is set ${set} times`);
  }
});
