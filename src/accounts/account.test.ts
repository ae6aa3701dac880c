import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredAccounts } from './account.ts';

test('an account that was found is not looked up again for a minute, so an erased one is refused afterwards', async () => {
  let nowMs = 0;
  let lookUps = 0;
  let existing = [{ account: 'a', headSequence: 0, headId: null }];
  const lister = {
    listAccounts: async () => {
      lookUps++;
      return existing;
    },
  };
  const accounts = declaredAccounts(lister, () => nowMs);
  const undeclared = async () => [...(await accounts.undeclared(['a', 'a']))];
  assert.deepEqual(await undeclared(), []);
  existing = [];
  nowMs = 59_999;
  assert.deepEqual(await undeclared(), []);
  assert.equal(lookUps, 1);
  nowMs = 60_000;
  assert.deepEqual(await undeclared(), ['a']);
});
