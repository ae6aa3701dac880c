import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Random } from '../rig/random.ts';
import { seed } from '../rig/seed.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { inTier } from '../rig/tier.ts';
import { postgresDatabase, type RestoreOptions, RestoreRun, sqliteDatabase } from './restores.ts';

const DATABASES = {
  SQLite: async (t: TestContext) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    return sqliteDatabase(folder.path);
  },
  PostgreSQL: () => postgresDatabase(),
};

for (const [name, makeDatabase] of Object.entries(DATABASES))
  test(`after random restores on ${name}, exactly the readers with lost changes are refused, and rewound`, async (t) => {
    const restores = inTier({ short: name === 'SQLite' ? 12 : 4, long: 300 });
    const run = new RestoreRun(await makeDatabase(t), new Random(seed), { restores });
    await run.run();
    t.diagnostic(`${restores} restores, ${run.refused} readers refused and rewound`);
    assert.ok(run.refused > 0);
  });

/** Each breaks the guarantee. */
const WRONG: Record<string, Omit<RestoreOptions, 'restores'>> = {
  'a nonce that is always the same': { drawNonce: () => 1 },
  'a nonce from the clock': { drawNonce: (clockMs) => clockMs },
  'an id without the nonce': {
    around: (store) => ({
      listChanges: async ({ afterId: _, ...query }) => {
        const { last, changes, ...ends } = await store.listChanges(query);
        const same = changes.map((change) => ({ ...change, nonce: 1 }));
        return { last: last && { ...last, nonce: 1 }, changes: same, ...ends };
      },
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
  test(`${name} is found`, async (t) => {
    for (let round = 0; round < 5; round++) {
      const run = new RestoreRun(await DATABASES.SQLite(t), new Random(seed + round), {
        ...options,
        restores: 40,
      });
      try {
        await run.run();
      } catch (error) {
        assert.ok(error instanceof assert.AssertionError, String(error));
        return;
      }
    }
    assert.fail('no restore showed it');
  });
