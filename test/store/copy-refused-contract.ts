import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CopyFailed } from '../../src/operate/copy/copy-context.ts';
import type { CopyTarget } from '../../src/operate/copy/copy-target.ts';
import type { CopyMark } from '../../src/operate/copy-mark.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { someEntry } from '../rig/store/audit.ts';
import { asTarget, beside, contentsOf, copyBetween, copyFailed, type Databases } from '../rig/store/copy.ts';
import { sealAll } from '../rig/store/seal.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { apiKey } from './api-keys-contract.ts';

export function refusedCopyContract(name: string, make: () => Promise<StoreHarness>): void {
  describe(`a copy to ${name} that is refused`, () => {
    let source: StoreHarness;
    let target: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      [source, target] = [await make(), await make()];
      store = await source.open();
      await record(store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
    });
    afterEach(async () => {
      for (const one of [source, target]) await one.dispose();
    });

    test('keeps what a service wrote into the empty target before the target was marked', async () => {
      const served = await target.open();
      const suspended = ({ target }: Databases) => ({
        target: beside(target, async (method) => {
          if (method === 'mark') await served.createApiKey(apiKey('key_0000000000000001'), someEntry());
        }),
      });
      await assert.rejects(
        copyBetween(source.url, target.url, { through: suspended }),
        copyFailed('The target has data that is not from a copy of this source.'),
      );
      assert.equal((await contentsOf(target.url)).records['api_keys']?.length, 1);
      await record(served, [transaction('store-1', 'a')]);
    });

    test('keeps the mark of the target, which was moved to the source, if the source has fewer changes', async () => {
      assert.equal((await copyBetween(source.url, target.url, { isMove: true })).end, 'equal');
      const back = () => copyBetween(target.url, source.url, { isMove: true });
      const before = await contentsOf(source.url);
      await (await target.open()).ping();
      await target.execute(`UPDATE accounts SET head_sequence = 1 WHERE account = 'store-1'`);
      const end = await back();
      assert.ok(end.end === 'contradiction', end.end);
      assert.deepEqual(end.contradiction, {
        ...{ account: 'store-1', place: 'head sequence' },
        ...{ source: '1', target: '2' },
      });
      assert.deepEqual(await contentsOf(source.url), before);
      await asTarget(source.url, (writer) => writer.unmark());
      await record(store, [transaction('store-1', 'later')]);
    });

    test('keeps the mark of the target, which was moved to the source, if the source has another change in the same history', async () => {
      const more = Array.from({ length: 70 }, (_, nth) => transaction('store-1', `more-${nth}`));
      await record(store, more);
      assert.equal((await copyBetween(source.url, target.url, { isMove: true })).end, 'equal');
      const before = await contentsOf(source.url);
      const moved = await target.open();
      await target.execute(`UPDATE transactions SET amount_minor = 7 WHERE reference = 'store-1.b'`);
      await target.execute('DELETE FROM seal_blocks');
      await target.execute('DELETE FROM seals');
      for (const step of ['as many', 'more']) {
        if (step === 'more') await record(moved, [transaction('store-1', 'later')]);
        await sealAll(moved, 'store-1');
        const end = await copyBetween(target.url, source.url, { isMove: true });
        assert.ok(end.end === 'contradiction', end.end);
        assert.match(end.contradiction.place, /^seal of change 7[23]$/);
        assert.deepEqual(await contentsOf(source.url), before);
        await assert.rejects(record(store, [transaction('store-1', 'behind')]), StoreUnavailable);
      }
      await assert.rejects(source.open(), /it was moved to /);
    });

    test('removes the mark of the source if the response to marking was lost, and reports it if that fails', async () => {
      const lost = new StoreUnavailable('database_connection', 'the answer was lost');
      const move = (canGiveUp: boolean) =>
        copyBetween(source.url, target.url, {
          isMove: true,
          markedThrough: (marker) =>
            new Proxy(marker, {
              get: (_, called: keyof CopyTarget) => {
                if (called === 'mark')
                  return (mark: CopyMark) => marker.mark(mark).then(() => Promise.reject(lost));
                if (called === 'unmark' && !canGiveUp) return () => Promise.reject(lost);
                const value = marker[called];
                return typeof value === 'function' ? value.bind(marker) : value;
              },
            }),
        });
      await assert.rejects(move(true), (error) => error === lost);
      await record(store, [transaction('store-1', 'later')]);
      await assert.rejects(
        move(false),
        (error) =>
          error instanceof CopyFailed &&
          /the answer was lost\. The source may still be marked as moved.*"transactions reopen"/.test(
            error.message,
          ),
      );
      await assert.rejects(record(store, [transaction('store-1', 'behind')]), StoreUnavailable);
      assert.equal((await copyBetween(source.url, target.url, { isMove: true })).end, 'equal');
    });
  });
}
