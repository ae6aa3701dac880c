import { threadId, workerData } from 'node:worker_threads';
import { Random } from '../rig/run/random.ts';
import { type Chunk, runChunks } from '../rig/run/workers.ts';
import type { SchedulesData } from './run-schedules.ts';
import { noCounts, runSchedule, type ScheduleCounts } from './schedule.ts';
import { openScheduleDatabase, type ScheduleDatabase } from './schedule-database.ts';

// Interrupted recordings throw hundreds of errors, which cost less without their stacks.
Error.stackTraceLimit = 0;

/** How many schedules one thread runs at once. While one schedule's locks are held, the others continue. */
const LANES = 3;

const { databaseUrl } = workerData as SchedulesData;
const lanes: ScheduleDatabase[] = [];

runChunks(run, async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
});

async function run({ first, count }: Chunk): Promise<ScheduleCounts> {
  const counts = noCounts();
  while (lanes.length < LANES)
    lanes.push(await openScheduleDatabase(databaseUrl, `lane-${threadId}-${lanes.length}`));
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
