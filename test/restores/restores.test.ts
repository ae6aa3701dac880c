import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import type { DeliveryStore } from '../../src/webhooks/delivery/delivery-dependencies.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { sqliteDatabase } from './restorable-database.ts';
import { type RestoreOptions, RestoreRun } from './restore-run.ts';
import { runRestores } from './run-restores.ts';

const RESTORES = inTier({ short: 10, long: 200 });

test(`${RESTORES} restores of older backups: exactly the readers of the change feed that have lost changes are refused, each copy becomes equal, and receivers of webhooks get every change`, async (t) => {
  const { restores, ...counts } = await runRestores({ first: seed, count: RESTORES });
  t.diagnostic(JSON.stringify(counts));
  assert.equal(restores, RESTORES);
  assert.ok(counts.lost > 0 && counts.refused > 0 && counts.unaffected > 0 && counts.delivered > 0);
});

const withoutNonces =
  (store: Pick<Store, 'listChanges'>): Store['listChanges'] =>
  async ({ afterId: _, ...query }) => {
    const { last, changes, ...ends } = await store.listChanges(query);
    const same = changes.map((change) => ({ ...change, nonce: 1 }));
    return { last: last && { ...last, nonce: 1 }, changes: same, ...ends };
  };

/** Each breaks the guarantee. */
const WRONG: Record<string, Omit<RestoreOptions, 'restores'>> = {
  'a nonce that is always the same': { drawNonce: () => 1 },
  'a nonce from the clock': { drawNonce: (clockMs) => clockMs },
  'an id without the nonce': {
    around: (store) => ({ listChanges: withoutNonces(store) }),
  },
  'receivers that remember numbers': { remembers: ({ sequence }) => String(sequence) },
  'deliveries whose ids are without the nonce': {
    aroundDeliveries: (store) =>
      new Proxy(store, {
        get: (_, name: keyof DeliveryStore) => (name === 'listChanges' ? withoutNonces(store) : store[name]),
      }),
  },
  'an afterId that is ignored': {
    around: (store) => ({
      listChanges: (query) => {
        delete query.afterId;
        return store.listChanges(query);
      },
    }),
  },
};

for (const [name, options] of Object.entries(WRONG))
  turnTest(`${name} is found`, async (t) => {
    for (let round = 0; round < 5; round++) {
      const database = sqliteDatabase();
      t.after(database.remove);
      const run = new RestoreRun(database, new Random(seed + round), { ...options, restores: 40 });
      try {
        await run.run();
      } catch (error) {
        assert.ok(error instanceof assert.AssertionError, String(error));
        return;
      }
    }
    assert.fail('no restore showed it');
  });
