import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { type Leases, MAX_LEASE_MS, WEBHOOK_BUCKETS } from '../../src/webhooks/webhook.ts';
import { Random } from '../rig/random.ts';
import { seed } from '../rig/seed.ts';

/** Leases last longer than any test. */
const LEASE_MS = MAX_LEASE_MS;

const ALL = Array.from({ length: WEBHOOK_BUCKETS }, (_, bucket) => bucket);
const shareOf = (instances: number) => Math.ceil(WEBHOOK_BUCKETS / instances);
const sorted = (buckets: Iterable<number>) => [...buckets].sort((a, b) => a - b);

/** An instance that believes to have what it was answered, until it gives it back. */
class Instance {
  readonly name: string;
  readonly store: Store;
  held: readonly number[] = [];
  instances = 0;

  constructor(name: string, store: Store) {
    this.name = name;
    this.store = store;
  }

  async lease(release: readonly number[] = [], leaseMs = LEASE_MS): Promise<Leases> {
    this.held = this.held.filter((bucket) => !release.includes(bucket));
    const leases = await this.store.leaseWebhooks({ instance: this.name, leaseMs, release });
    this.held = leases.held;
    this.instances = leases.instances;
    return leases;
  }

  /** Gives back what is more than its even share. */
  giveBack(): Promise<Leases> {
    return this.lease(this.held.slice(shareOf(this.instances)));
  }
}

interface Current {
  store: Store;
  open(): Promise<Store>;
  execute(sql: string): Promise<void>;
}

/** The contract of every store for the leases by which instances share what they deliver. */
export function leasesContract(current: () => Current): void {
  describe('in leased buckets', () => {
    let instances: [Instance, Instance, Instance];
    beforeEach(async () => {
      const { store, open } = current();
      instances = [
        new Instance('a', store),
        new Instance('b', await open()),
        new Instance('c', await open()),
      ];
    });

    /** Ends the leases of instances as if they had not been renewed in time. */
    const expire = (milliseconds: number, name = 'a') =>
      current().execute(
        `UPDATE webhook_instances SET expires_at_ms = expires_at_ms - ${milliseconds} WHERE instance = '${name}'`,
      );

    test('are all held by the only instance, which renews them', async () => {
      const [a] = instances;
      for (let count = 0; count < 3; count++) assert.deepEqual(await a.lease(), { held: ALL, instances: 1 });
    });

    test('are shared evenly by three instances: each takes only what another gives back', async () => {
      const [a, b, c] = instances;
      await a.lease();
      assert.deepEqual(await b.lease(), { held: [], instances: 2 });
      assert.deepEqual(await a.lease(), { held: ALL, instances: 2 });
      assert.equal((await a.giveBack()).held.length, 32);
      assert.equal((await b.lease()).held.length, 32);
      assert.deepEqual(sorted([...a.held, ...b.held]), ALL);
      assert.deepEqual(await c.lease(), { held: [], instances: 3 });
      for (const one of [a, b]) {
        assert.equal((await one.lease()).instances, 3);
        assert.equal((await one.giveBack()).held.length, 22);
      }
      assert.equal((await c.lease()).held.length, 20);
      assert.deepEqual(sorted([...a.held, ...b.held, ...c.held]), ALL);
    });

    test('are free at once when an instance leaves', async () => {
      const [a, b] = instances;
      await a.lease();
      await b.lease();
      assert.deepEqual(await a.lease(ALL.slice(0, 10), 0), { held: [], instances: 1 });
      assert.deepEqual(await b.lease(), { held: ALL, instances: 1 });
    });

    test('are free when an instance dies, by the clock of the database', async () => {
      const [a, b] = instances;
      await a.lease();
      await expire(LEASE_MS / 2);
      assert.deepEqual(await b.lease(), { held: [], instances: 2 });
      await expire(LEASE_MS / 2);
      assert.deepEqual(await b.lease(), { held: ALL, instances: 1 });
      assert.deepEqual(await a.lease(), { held: [], instances: 2 });
    });

    test('are free at once if the clock was 23 h ahead when they were given, and is right again', async () => {
      const [a, b] = instances;
      await a.lease();
      await expire(-23 * 3_600_000);
      assert.deepEqual(await b.lease(), { held: ALL, instances: 1 });
    });

    test('are free after the time of the lease', async () => {
      const [a, b] = instances;
      await a.lease([], 30);
      do await b.lease();
      while (b.instances === 2);
      assert.deepEqual(b.held, ALL);
    });

    test('stay with an instance that renews too late, if no other one took them', async () => {
      const [a] = instances;
      await a.lease();
      await expire(2 * LEASE_MS);
      assert.deepEqual(await a.lease(), { held: ALL, instances: 1 });
    });

    test('are not given back by another instance', async () => {
      const [a, b] = instances;
      await a.lease();
      assert.deepEqual(await b.lease(ALL), { held: [], instances: 2 });
      assert.deepEqual(await a.lease(), { held: ALL, instances: 2 });
    });

    test('are never held by two, while instances join, leave and die at any time, and soon all are held evenly', async () => {
      const random = new Random(seed);
      const stores = instances.map(({ store }) => store);
      const alive: Instance[] = [];
      let named = 0;
      const check = () => {
        const held = alive.flatMap((one) => one.held);
        assert.equal(new Set(held).size, held.length, JSON.stringify(alive.map((one) => one.held)));
      };
      const step = async (one: Instance) => {
        for (let count = 0; count < 4; count++) {
          await (random.chance(0.5) ? one.giveBack() : one.lease());
          check();
        }
      };
      for (let round = 0; round < 12; round++) {
        if (alive.length < 2 || random.chance(0.5))
          alive.push(new Instance(`i${named++}`, random.pick(stores)));
        await Promise.all(alive.map(step));
        if (!random.chance(0.5)) continue;
        const [gone] = alive.splice(random.integer(0, alive.length - 1), 1) as [Instance];
        if (random.chance(0.5)) await gone.lease([], 0);
        else await expire(LEASE_MS, gone.name);
      }
      // Each is notified of the others, gives back, and takes what the others gave back.
      for (let count = 0; count < 3; count++) for (const one of alive) await one.giveBack();
      assert.deepEqual(sorted(alive.flatMap(({ held }) => held)), ALL);
      for (const { held } of alive) assert.ok(held.length <= shareOf(alive.length), String(held.length));
    });
  });
}
