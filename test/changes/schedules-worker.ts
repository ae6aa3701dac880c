import { threadId, workerData } from 'node:worker_threads';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type Chunk, runChunks } from '../rig/run/workers.ts';
import { openPostgresDatabase } from './postgres-database.ts';
import type { SchedulesData } from './run-schedules.ts';
import { noCounts, runSchedule, type ScheduleCounts } from './schedule.ts';
import type { ScheduleDatabase } from './schedule-database.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

// Interrupted recordings are hundreds of errors: without their stacks they cost less.
Error.stackTraceLimit = 0;

/** Schedules of one thread that run at once on PostgreSQL: while locks are held in one, others go on. */
const LANES = 3;

const { databaseUrl } = workerData as SchedulesData;
const lanes: ScheduleDatabase[] = [];

runChunks(databaseUrl === null ? runOnSqlite : runOnPostgres, async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
});

/** Each chunk has a file of its own. */
async function runOnSqlite({ first, count }: Chunk): Promise<ScheduleCounts> {
  const counts = noCounts();
  const folder = temporaryFolder();
  const database = await openSqliteDatabase(`${folder.path}/schedules.db`);
  try {
    for (let seed = first; seed < first + count; seed++)
      await runSchedule(seed, new Random(seed), database, counts);
  } finally {
    await database.close();
    folder.remove();
  }
  return counts;
}

async function runOnPostgres({ first, count }: Chunk): Promise<ScheduleCounts> {
  const counts = noCounts();
  while (lanes.length < LANES)
    lanes.push(
      await openPostgresDatabase({
        databaseUrl: databaseUrl as string,
        name: `lane-${threadId}-${lanes.length}`,
      }),
    );
  let next = first;
  const runLane = async (lane: ScheduleDatabase) => {
    while (next < first + count) {
      const seed = next++;
      await runSchedule(seed, new Random(seed), lane, counts);
    }
  };
  await Promise.all(lanes.map(runLane));
  return counts;
}
