import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { Random } from '../rig/run/random.ts';
import { seed as first } from '../rig/run/seed.ts';
import { inTier, someInTier } from '../rig/run/tier.ts';
import { BrokenPromise } from './oracle.ts';
import { openPostgresDatabase, prepareDatabase } from './postgres-database.ts';
import { noCounts, runSchedule } from './schedule.ts';
import { firstForbidden, noteTraces, readAll, readNotes, type Trace } from './trace.ts';
import {
  ALLOW_REPEATED_NUMBERS,
  NumberingRecorder,
  type RIGHT_NUMBERING,
  WRONG_NUMBERINGS,
} from './wrong-postgres-stores.ts';

const SCHEDULES = inTier({ short: 12, long: 300 });
const MAX_SCHEDULES = 300;
const RECORDERS = 4;

interface Options {
  schedules: number;
  /** In place of the store's. */
  numbering?: typeof RIGHT_NUMBERING;
}

/** Runs schedules, and returns the first step of a trace that the model does not have. */
async function traced({
  schedules,
  numbering,
}: Options): Promise<{ forbidden?: string; steps: number; reads: number }> {
  const databaseUrl = await makeMigratedDatabase();
  await prepareDatabase(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // The traces have to notice it, not an index.
  await client.query(ALLOW_REPEATED_NUMBERS);
  await noteTraces(client);
  const makeRecorders = async (url: string) =>
    Array.from({ length: RECORDERS }, () => new NumberingRecorder(url, numbering as typeof RIGHT_NUMBERING));
  const database = await openPostgresDatabase({
    databaseUrl,
    name: 'traced',
    ...(numbering !== undefined && { makeRecorders }),
  });
  const counts = { steps: 0, reads: 0 };
  try {
    for (let seed = first; seed < first + schedules; seed++) {
      const traces = new Map<string, Trace>();
      let isOver = false;
      let broken: unknown;
      const schedule = runSchedule(seed, new Random(seed), database, noCounts())
        // The traces have to show what is wrong before the oracle does.
        .catch((error) => {
          broken = error;
        })
        .finally(() => {
          isOver = true;
        });
      while (!isOver) await readAll(client, traces);
      await schedule;
      await readAll(client, traces);
      await readNotes(client, traces);
      for (const trace of traces.values()) {
        counts.steps += trace.steps.length;
        counts.reads += trace.reads.length;
        const forbidden = firstForbidden(trace);
        if (forbidden !== undefined) return { forbidden, ...counts };
      }
      const isWrongStore = numbering !== undefined && broken instanceof BrokenPromise;
      if (broken !== undefined && !isWrongStore) throw broken;
      await client.query('TRUNCATE accounts, transactions CASCADE');
    }
    return counts;
  } finally {
    await client.end();
    await database.close();
  }
}

test('what the store does on PostgreSQL, beside kills and rollbacks, is what the model of numbering does', async (t) => {
  const { forbidden, steps, reads } = await traced({ schedules: SCHEDULES });
  assert.equal(forbidden, undefined);
  assert.ok(steps > SCHEDULES && reads > SCHEDULES);
  t.diagnostic(`${SCHEDULES} schedules, ${steps} steps, ${reads} reads`);
});

for (const [name, { numbering }] of someInTier(Object.entries(WRONG_NUMBERINGS), 1)) {
  test(`the traces show ${name}`, async (t) => {
    const { forbidden } = await traced({ schedules: MAX_SCHEDULES, numbering });
    assert.ok(forbidden, `not noticed in ${MAX_SCHEDULES} schedules`);
    t.diagnostic(forbidden);
  });
}
