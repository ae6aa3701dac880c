import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordOnce } from '../../src/ledger/record/record.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { importInto } from '../rig/store/import.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

export function recordedStatusesContract(store: Store, harness: StoreHarness): void {
  describe('its recorded statuses', () => {
    const inStatus = (name: string, status: string) => transaction('store-1', name, { status });

    test('include the status of every transaction, also one that a pending transaction takes, in order, except the built-in ones', async () => {
      assert.deepEqual(await store.listRecordedStatuses(), []);
      await record(store, [inStatus('a', 'pending'), inStatus('b', 'completed')]);
      assert.deepEqual(await store.listRecordedStatuses(), []);
      await record(store, [inStatus('c', 'refunded'), inStatus('d', 'failed'), inStatus('e', 'failed')]);
      await record(store, [inStatus('f', 'refunded')]);
      assert.deepEqual(await store.listRecordedStatuses(), ['failed', 'refunded']);
      await record(store, [{ ...inStatus('a', 'voided'), paidAtMs: null }]);
      assert.deepEqual(await store.listRecordedStatuses(), ['failed', 'refunded', 'voided']);
    });

    test('include those of recordings under an idempotency key and of imports', async () => {
      const once = { key: 'k', fingerprint: '0'.repeat(64) };
      await recordOnce(store, { ...inStatus('a', 'refunded') }, once);
      assert.deepEqual(await store.listRecordedStatuses(), ['refunded']);
      await importInto(store, [inStatus('b', 'charged_back'), inStatus('c', 'completed')]);
      assert.deepEqual(await store.listRecordedStatuses(), ['charged_back', 'refunded']);
    });

    test('include those that other instances record, even if many record one at the same time', async () => {
      const others = await Promise.all([1, 2, 3].map(() => harness.open()));
      await Promise.all(
        others.flatMap((other, at) => [
          record(other, [inStatus(`a-${at}`, 'refunded'), inStatus(`b-${at}`, 'failed')]),
          record(other, [inStatus(`c-${at}`, 'failed'), inStatus(`d-${at}`, 'held')]),
        ]),
      );
      for (const instance of [store, ...others])
        assert.deepEqual(await instance.listRecordedStatuses(), ['failed', 'held', 'refunded']);
    });

    test('do not include a malformed status, whether or not the database refuses its transaction', async () => {
      const results = await store.record([inStatus('a', 'No Status'), inStatus('b', 'refunded')]);
      assert.equal(results[1]?.outcome, 'recorded');
      assert.deepEqual(await store.listRecordedStatuses(), ['refunded']);
    });
  });
}
