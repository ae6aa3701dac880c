import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { MIGRATED_VARIABLE, SERVER_VARIABLE } from '../rig/global-setup.ts';
import { migratedDatabase } from '../rig/migrated-database.ts';
import { postgresUrl } from '../rig/postgres.ts';
import { someInTier } from '../rig/tier.ts';
import { loadMutant } from './load-mutant.ts';
import { MUTANTS } from './mutants.ts';

/*
 * Tests the isolation tests: each mutant removes the account from one statement, from the cursor's binding or from the key
 * cache, and the responsible test must fail with an AssertionError. All run in this process.
 */
const mutants = someInTier(MUTANTS, 12);

before(async () => {
  // One server for all mutants, and one database that they copy.
  process.env[SERVER_VARIABLE] = await postgresUrl();
  process.env[MIGRATED_VARIABLE] = await migratedDatabase();
});

describe('the responsible test passes on the source', () => {
  for (const file of new Set(mutants.map(({ caughtBy }) => caughtBy.file))) {
    test(file, async (t) => {
      const ofFile = mutants.filter(({ caughtBy }) => caughtBy.file === file);
      const [first] = ofFile as [(typeof ofFile)[number]];
      const runTest = await loadMutant(file, { ...first, to: first.from });
      for (const name of new Set(ofFile.map(({ caughtBy }) => caughtBy.test))) await runTest(name, t);
    });
  }
});

describe('the responsible test fails on', () => {
  for (const { name, caughtBy, ...mutation } of mutants) {
    test(name, async (t) => {
      const runTest = await loadMutant(caughtBy.file, mutation);
      await assert.rejects(runTest(caughtBy.test, t), { code: 'ERR_ASSERTION' });
    });
  }
});
