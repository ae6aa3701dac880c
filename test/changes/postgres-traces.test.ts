import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { Random } from '../rig/run/random.ts';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { noCounts, runSchedule } from './schedule.ts';
import { openScheduleDatabase, prepareDatabase } from './schedule-database.ts';
import { firstForbidden, noteTraces, readAll, readNotes, type Trace } from './trace.ts';

const SCHEDULES = inTier({ short: 12, long: 300 });

/** Replaces the indexes that refuse a repeated number, so that the traces have to show it. */
const ALLOW_REPEATED_NUMBERS = `DROP INDEX transactions_by_pending_sequence, transactions_by_final_sequence;
CREATE INDEX ON transactions (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE INDEX ON transactions (account, final_sequence) WHERE final_sequence IS NOT NULL`;

/** Runs schedules. Returns the first step of a trace that the model forbids. */
async function traced(schedules: number): Promise<{ forbidden?: string; steps: number; reads: number }> {
  const databaseUrl = await makeMigratedDatabase();
  await prepareDatabase(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(ALLOW_REPEATED_NUMBERS);
  await noteTraces(client);
  const database = await openScheduleDatabase(databaseUrl, 'traced');
  const counts = { steps: 0, reads: 0 };
  try {
    for (let seed = first; seed < first + schedules; seed++) {
      const traces = new Map<string, Trace>();
      let isOver = false;
      let broken: unknown;
      const schedule = runSchedule(seed, new Random(seed), database, noCounts())
        // The traces must show the fault before the oracle does.
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
      if (broken !== undefined) throw broken;
      await client.query('TRUNCATE accounts, transactions CASCADE');
    }
    return counts;
  } finally {
    await client.end();
    await database.close();
  }
}

test('the model of numbering allows every step of the store on PostgreSQL, with kills and rollbacks', async (t) => {
  const { forbidden, steps, reads } = await traced(SCHEDULES);
  assert.equal(forbidden, undefined);
  assert.ok(steps > SCHEDULES && reads > SCHEDULES);
  t.diagnostic(`${SCHEDULES} schedules, ${steps} steps, ${reads} reads`);
});
