import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { MAX_LEASE_MS, OTHER_RULES_MS } from '../../src/webhooks/webhook.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

const LEASE_MS = MAX_LEASE_MS;
const RULES = 'WEBHOOK_HTTP=true';
const OTHER_RULES = 'WEBHOOK_HTTP=false';

export function leaseContract(store: Store, harness: StoreHarness): void {
  describe('are delivered with a lease, which', () => {
    let stores: Store[];
    beforeEach(async () => {
      stores = [store, await harness.open()];
    });

    const lease = async (instance: string, rules = RULES, leaseMs = LEASE_MS) => {
      const store = stores[instance === 'a' ? 0 : 1] as Store;
      return (await store.leaseWebhooks({ instance, rules, leaseMs })).isHeld;
    };
    const pass = (milliseconds: number) =>
      harness.execute(`UPDATE webhook_lease SET expires_at_ms = expires_at_ms - ${milliseconds}`);

    test('expires by the clock of the database when its instance dies', async () => {
      await lease('a');
      await pass(LEASE_MS / 2);
      assert.equal(await lease('b'), false);
      await pass(LEASE_MS / 2);
      assert.equal(await lease('b'), true);
      assert.equal(await lease('a'), false);
    });

    test('is free at once if the clock was 23 h ahead when it was granted, and has been corrected', async () => {
      for (const rules of [RULES, OTHER_RULES]) {
        await lease('a');
        await pass(-23 * 3_600_000);
        assert.equal(await lease('b', rules), true);
        await pass(2 * MAX_LEASE_MS);
      }
    });

    test('stays with an instance that renews too late, if no other instance took it', async () => {
      await lease('a');
      await pass(2 * LEASE_MS);
      assert.equal(await lease('a'), true);
      assert.equal(await lease('b'), false);
    });

    test('an instance with other rules gets only after no instance with the rules of the last holder took it for a while', async () => {
      assert.equal(await (stores[0] as Store).readWebhookRules(), undefined);
      await lease('a');
      const refused = await (stores[1] as Store).leaseWebhooks({
        instance: 'b',
        rules: OTHER_RULES,
        leaseMs: LEASE_MS,
      });
      assert.deepEqual(refused, { isHeld: false, rules: RULES });
      assert.equal(await (stores[1] as Store).readWebhookRules(), RULES);
      await lease('a', RULES, 0);
      assert.equal(await lease('b', OTHER_RULES), false);
      await pass(OTHER_RULES_MS / 2);
      assert.equal(await lease('b', OTHER_RULES), false);
      assert.equal(await lease('c', RULES, 0), true);
      await pass(OTHER_RULES_MS);
      assert.equal(await lease('b', OTHER_RULES), true);
      assert.equal(await lease('a'), false);
      assert.equal(await lease('b', OTHER_RULES), true);
    });

    test('is renewed by its holder and never held by two, while instances join, leave and die at any time', async () => {
      const random = new Random(seed);
      const holders = new Set<string>();
      const step = async (instance: string) => {
        const isHeld = await lease(instance);
        if (isHeld) holders.add(instance);
        else assert.ok(!holders.has(instance), `${instance} lost its lease`);
        assert.ok(holders.size <= 1, [...holders].join());
      };
      for (let round = 0; round < 12; round++) {
        await Promise.all(['a', 'b', `i${round}`].map(step));
        assert.equal(holders.size, 1);
        const [holder] = [...holders] as [string];
        assert.equal(await lease(holder), true);
        holders.clear();
        if (random.chance(0.5)) await lease(holder, RULES, 0);
        else await pass(LEASE_MS);
      }
    });
  });
}
