import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someStamp } from '../../test/rig/store/audit.ts';
import { idOf, webhook } from '../../test/rig/webhooks/webhooks.ts';
import { moveBackToHead } from './move-back.ts';

const movedTo = (isReplaced: boolean) =>
  moveBackToHead(
    {
      store: {
        findWebhook: async () => ({ ...webhook(1, { acknowledgedSequence: 9 }), failureCount: 0 }),
        replaceWebhook: async () => isReplaced,
      },
      stamp: () => someStamp(),
    },
    { account: 'store-1', id: idOf(1) },
    4,
  );

test('an endpoint beyond the head is moved back to it', async () => {
  assert.equal(await movedTo(true), 4);
});

test('an endpoint that was changed meanwhile is not reported as moved back', async () => {
  assert.equal(await movedTo(false), undefined);
});
