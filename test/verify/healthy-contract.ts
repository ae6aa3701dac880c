import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { beside } from '../rig/store/copy.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { useFull } from './full-database.ts';
import { recordHealthy, type VerifiedStore, verifyDatabase } from './healthy-database.ts';

export function healthyContract(
  name: string,
  makeHarness: () => Promise<StoreHarness>,
  { databases = inTier({ short: 2, long: 6 }), steps = 60 } = {},
): void {
  describe(`verify on ${name} reports nothing`, () => {
    const { harness, store } = eachHarness<VerifiedStore>(makeHarness);

    test('for a database with everything that is verified, for all accounts or one', async () => {
      await recordHealthy(store);
      const all = await verifyDatabase(harness.url);
      assert.deepEqual(all.lines, []);
      assert.deepEqual(all.verified, {
        ...all.verified,
        ...{ accounts: 2, transactions: 9, changes: 10, sealedChanges: 0, dailyTotals: 7, apiKeys: 2 },
        ...{ idempotencyKeys: 1, exports: 1, webhooks: 2, webhookFailures: 2, auditEntries: 6 },
      });
      const one = await verifyDatabase(harness.url, { account: 'store-1' });
      assert.deepEqual(one.lines, []);
      assert.deepEqual([one.verified.accounts, one.verified.transactions, one.verified.apiKeys], [1, 6, 1]);
    });

    test('while transactions are recorded, completed, imported and added to the totals before each of its reads', async () => {
      const random = new Random(seed);
      const use = await useFull(store, random);
      for (let step = 0; step < steps; step++) await use();
      for (let database = 0; database < databases; database++) {
        let due = steps;
        const { lines } = await verifyDatabase(harness.url, {
          pageSize: random.pick([1, 20, 2000]),
          through: (reader) =>
            beside(reader, async () => {
              for (; due > 0 && random.chance(0.7); due--) await use();
            }),
        });
        assert.deepEqual(lines, []);
        assert.ok(due < steps / 2, String(due));
      }
    });
  });
}
