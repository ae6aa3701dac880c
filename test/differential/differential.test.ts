import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresDatabase, sqliteDatabase } from '../restores/restorable-database.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { InProcess } from './in-process.ts';
import { runHistories } from './run.ts';

const HISTORIES = inTier({ short: 2, long: 30 });

const DATABASES = [
  ['random histories on SQLite', async () => sqliteDatabase()],
  ['random histories on PostgreSQL', postgresDatabase],
] as const;

for (const [name, makeDatabase] of DATABASES)
  test(`${HISTORIES} ${name}: recordings, readings, keys, archives, erasures, copies, restores and clocks do what the model does`, async (t) => {
    const make = () => new InProcess(makeDatabase).start();
    const { histories, steps } = await runHistories({ make, first: seed, count: HISTORIES });
    t.diagnostic(`${steps} steps`);
    assert.equal(histories, HISTORIES);
  });
