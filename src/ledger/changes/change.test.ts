import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGE_ID_FORM, changeId } from './change.ts';

test('the id of a change is always the same, and another for each account, number and nonce', () => {
  const change = { sequence: 7, nonce: 1 };
  const id = changeId('shop-1', change);
  // Copies and receivers have stored it: it must not change with a version of the service.
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
