import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CopyFailed } from '../../src/operate/copy/copy-context.ts';
import type { CopyTarget } from '../../src/operate/copy/copy-target.ts';
import { openCopyTarget } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { contentsOf, copyBetween } from '../rig/store/copy.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

const failed = (start: string) => (error: unknown) =>
  error instanceof CopyFailed && error.message.startsWith(start);

async function write(url: string, work: (writer: CopyTarget) => Promise<void>): Promise<void> {
  const writer = await openCopyTarget(url);
  await work(writer).finally(() => writer.close());
}

const archiveOf = (account: string) => ({
  account,
  before_ms: 86_400_000,
  floor_sequence: 1,
  floor_nonce: 7,
  floor_seal: 'a'.repeat(64),
  removed_changes: 1,
});

/** A copy that can't end leaves what both databases have. */
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

    test('leaves an archive that the source does not have, unless the target has no change of its account', async () => {
      assert.equal((await copyBetween(source.url, target.url)).end, 'equal');
      const mark = { state: 'copying', other: source.url, sinceMs: 0 } as const;
      await write(target.url, async (writer) => {
        await writer.mark(mark);
        await writer.writeRecords('archives', [archiveOf('store-1'), archiveOf('store-2')]);
      });
      const before = await contentsOf(target.url);
      await assert.rejects(
        copyBetween(source.url, target.url),
        failed('The target has changes of the account "store-1" behind an archive'),
      );
      assert.deepEqual(await contentsOf(target.url), before);
      await write(target.url, (writer) => writer.deleteRecords('archives', [['store-1']]));
      assert.equal((await copyBetween(source.url, target.url)).end, 'equal');
      assert.deepEqual((await contentsOf(target.url)).records['archives'], []);
    });
  });
}
