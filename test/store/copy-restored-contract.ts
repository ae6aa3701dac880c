import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Behind } from '../../src/operate/copy/copy.ts';
import type { CopyReader } from '../../src/operate/copy/copy-reader.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreRefused } from '../../values/store-errors.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { contentsOf, copyBetween, copyFailed, openReader } from '../rig/store/copy.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { recordHealthy, type VerifiedStore } from '../verify/healthy-database.ts';

const CHANGE = /^store-2, change 4: id chg_.{22}; id chg_.{22}$/;

export function restoredSourceContract(name: string, make: () => Promise<StoreHarness>): void {
  describe(`a copy to ${name} from a source that was restored`, () => {
    let source: StoreHarness;
    let restored: StoreHarness;
    let target: StoreHarness;
    let store: Store;
    let other: Store;
    beforeEach(async () => {
      [source, restored, target] = [await make(), await make(), await make()];
      store = await source.open();
      await recordHealthy(store as VerifiedStore);
      assert.equal((await copyBetween(source.url, restored.url)).end, 'equal');
      other = await restored.open();
      await record(store, [transaction('store-2', 'lost')]);
    });
    afterEach(async () => {
      for (const one of [source, restored, target]) await one.dispose();
    });

    const followInto = async (isDone: (behind: Behind) => boolean) => {
      const after = await openReader(restored.url);
      let isRestored = false;
      let rounds = 0;
      const end = await copyBetween(source.url, target.url, {
        following: {
          isStopped: () => rounds > 3,
          pause: () => setImmediate(),
          onBehind: (behind) => {
            if (isRestored) rounds++;
            isRestored ||= isDone(behind);
          },
        },
        through: ({ source: before }) => ({
          source: new Proxy(before, {
            get: (_, called: keyof CopyReader) => {
              const from = isRestored ? after : before;
              return (from[called] as () => unknown).bind(from);
            },
          }),
        }),
      }).finally(() => after.close());
      if (end.end !== 'contradiction') return { end: end.end, lines: [] };
      const { account, place, source: there, target: here } = end.contradiction;
      return { end: end.end, lines: [`${account}, ${place}: ${there}; ${here}`] };
    };

    test('stops before it appends the next change to another history', async () => {
      for (const reference of ['b1', 'b2']) await record(other, [transaction('store-2', reference)]);
      const { end, lines } = await followInto(() => true);
      assert.equal(end, 'contradiction');
      assert.equal(lines.length, 1);
      assert.match(lines[0] as string, CHANGE);
      const { heads, rows } = await contentsOf(target.url);
      assert.equal(heads['store-2'], 4);
      assert.deepEqual(rows, (await contentsOf(source.url)).rows);
    });

    test('names the difference at its end if the source has as many changes as before the restore', async () => {
      await record(other, [transaction('store-2', 'lost')]);
      const { end, lines } = await followInto(() => true);
      assert.equal(end, 'contradiction');
      assert.equal(lines.length, 1);
      assert.match(lines[0] as string, /^store-2, transaction store-2.lost: other values of .*finalNonce/);
    });

    test('does not end if its address leads to the restored database when the source is marked', async () => {
      const before = await openReader(source.url);
      const moved = copyBetween(restored.url, target.url, {
        isMove: true,
        through: () => ({ source: before }),
      });
      await assert
        .rejects(moved, copyFailed('The source is not the database that'))
        .finally(() => before.close());
      await assert.rejects(target.open(), StoreRefused);
      for (const one of [store, other]) await record(one, [transaction('store-2', 'later')]);
    });
  });
}
