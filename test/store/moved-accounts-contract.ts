import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { SAMPLE } from '../rig/data/transactions.ts';
import { someEntry } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

/** A failure that has no attempt left. */
const FAILED = failure(3, { nextAttemptAtMs: null });

/** How deliveries notice the accounts whose endpoints have to be read. */
export function movedAccountsContract(current: () => { store: Store; open: () => Promise<Store> }): void {
  test('that a request changed, or whose accounts have new changes, are listed once as moved, and no others', async () => {
    const { store, open } = current();
    for (const account of ['store-1', 'store-2'])
      await store.createWebhook(webhook(1, { account }), 20, someEntry());
    let { mark, accounts } = await store.listMovedAccounts(null);
    assert.equal(accounts, null);
    // A cluster can't say which accounts moved, so there is nothing to check.
    if (mark === null) return;
    const other = await open();
    const movedBy = async (work: () => Promise<unknown>) => {
      await work();
      ({ mark, accounts } = await store.listMovedAccounts(mark));
      const moved = accounts?.toSorted();
      ({ mark, accounts } = await store.listMovedAccounts(mark));
      assert.deepEqual(accounts, []);
      return moved;
    };
    const recorded = (account: string, status = 'pending') =>
      other.record([{ ...SAMPLE, account, status, paidAtMs: null }]);
    const failed = progress(5, { failed: [FAILED] });
    assert.deepEqual(await movedBy(() => recorded('store-1')), ['store-1']);
    assert.deepEqual(await movedBy(() => recorded('store-1')), [], 'nothing changed');
    assert.deepEqual(await movedBy(() => recorded('store-1', 'failed')), ['store-1']);
    assert.deepEqual(await movedBy(() => recorded('store-3')), []);
    assert.deepEqual(await movedBy(() => other.storeProgress('store-1', idOf(1), 1, failed)), []);
    for (const change of [
      () => other.retryWebhookFailure('store-1', idOf(1), FAILED.sequence, 1),
      () => other.replaceWebhook(webhook(1, { version: 3 }), 'change', someEntry()),
      () => other.disableWebhook('store-1', idOf(1), 3, { reason: 'gone', atMs: 5 }, someEntry()),
      () => other.deleteWebhook('store-1', idOf(1), someEntry()),
      () => other.createWebhook(webhook(2), 20, someEntry()),
    ])
      assert.deepEqual(await movedBy(async () => assert.equal(await change(), true)), ['store-1']);
    await movedBy(() => store.watchAccounts(['store-3', 'store-4']));
    const both = () => Promise.all([recorded('store-3', 'failed'), recorded('store-2')]);
    assert.deepEqual(await movedBy(both), ['store-2', 'store-3']);
  });
}
