import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { someEntry } from '../rig/store/audit.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

const ROUNDS = 15;

const countOf = (results: readonly boolean[]) => results.filter((done) => done).length;

export function webhookRacesContract(store: Store, harness: StoreHarness): void {
  describe('of several instances at once', () => {
    let stores: [Store, Store, Store];
    beforeEach(async () => {
      stores = [store, await harness.open(), await harness.open()];
    });
    const storeOf = (index: number) => stores[index % 3] as Store;

    test('are never more than the limit of an account', async () => {
      const limit = 20;
      const created = await Promise.all(
        Array.from({ length: 60 }, (_, index) => {
          const account = index % 2 === 0 ? 'store-1' : 'store-2';
          return storeOf(index).createWebhook(webhook(index, { account }), limit, someEntry(account));
        }),
      );
      assert.equal(countOf(created), 2 * limit);
      for (const account of ['store-1', 'store-2'])
        assert.equal((await stores[0].listWebhooks(account)).length, limit);
    });

    test('are replaced once for each version', async () => {
      await stores[0].createWebhook(webhook(1), 20, someEntry());
      for (let version = 2; version < 2 + ROUNDS; version++) {
        const labels = Array.from({ length: 9 }, (_, index) => `${version} ${index}`);
        const replaced = await Promise.all(
          labels.map((label, index) =>
            storeOf(index).replaceWebhook(
              webhook(1, { label, version }),
              index % 2 === 0 ? 'replay' : 'change',
              someEntry(),
            ),
          ),
        );
        assert.equal(countOf(replaced), 1);
        const found = await stores[1].findWebhook('store-1', idOf(1));
        assert.deepEqual([found?.version, found?.label], [version, labels[replaced.indexOf(true)]]);
      }
    });

    test('keep no failure from before a replay, and do not undo it', async () => {
      await stores[0].createWebhook(webhook(1), 20, someEntry());
      for (let version = 1; version <= ROUNDS; version++) {
        const from = version * 10;
        const failed = [failure(from + 5), failure(from + 6)];
        const stored = Promise.all(
          [9, 8, 7].map((more, index) =>
            storeOf(index).storeProgress('store-1', idOf(1), version, progress(from + more, { failed })),
          ),
        );
        const next = webhook(1, { version: version + 1, acknowledgedSequence: from });
        assert.equal(await storeOf(version).replaceWebhook(next, 'replay', someEntry()), true);
        await stored;
        assert.deepEqual(await stores[0].listWebhookFailures('store-1', idOf(1), 0, 10), []);
        assert.equal((await stores[0].findWebhook('store-1', idOf(1)))?.acknowledgedSequence, from);
      }
    });

    test('leave no failure of a deleted endpoint', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await stores[0].createWebhook(webhook(round), 20, someEntry());
        const stored = [1, 2, 3, 4].map((index) =>
          storeOf(index).storeProgress(
            'store-1',
            idOf(round),
            1,
            progress(9, { failed: [failure(index), failure(index + 1)] }),
          ),
        );
        assert.equal(await storeOf(round).deleteWebhook('store-1', idOf(round), someEntry()), true);
        await Promise.all(stored);
        assert.deepEqual(await stores[0].listWebhookFailures('store-1', idOf(round), 0, 10), []);
      }
    });
  });
}
