import { inTier } from '../rig/run/tier.ts';
import { runInWorkers, type SharedWork } from '../rig/run/workers.ts';
import { prepareDatabase } from './postgres-database.ts';
import { noCounts, type ScheduleCounts } from './schedule.ts';

/** The part of all schedules that is on PostgreSQL, where one costs some fifteen times as much as on SQLite. */
const POSTGRES_SHARE = 0.04;

/** How many of a number of schedules are on each store. */
const sharesOf = (schedules: number) => ({
  sqlite: Math.floor(schedules * (1 - POSTGRES_SHARE)),
  postgres: Math.ceil(schedules * POSTGRES_SHARE),
});

/** The schedules of each run. */
export const SCHEDULES = sharesOf(inTier({ short: 400, long: 3750 }));

export interface SchedulesData {
  /** An empty database of PostgreSQL, or null for files of SQLite. */
  databaseUrl: string | null;
}

interface ScheduleOptions extends SchedulesData, Pick<SharedWork, 'threads'> {
  first?: number;
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (schedules: number) => void;
}

/** On SQLite, each chunk has a file of its own, which stays small. */
const SQLITE_CHUNK = 200;
const POSTGRES_CHUNK = 30;

/** Runs schedules on all cores. The first broken promise ends all workers. */
export async function runSchedules({ databaseUrl, ...options }: ScheduleOptions): Promise<ScheduleCounts> {
  const chunk = databaseUrl === null ? SQLITE_CHUNK : POSTGRES_CHUNK;
  if (databaseUrl !== null) await prepareDatabase(databaseUrl);
  const module = new URL('./schedules-worker.ts', import.meta.url);
  const data: SchedulesData = { databaseUrl };
  const results = await runInWorkers<ScheduleCounts>({ module, chunk, data, ...options });
  const sum = noCounts();
  for (const counts of results)
    for (const name of Object.keys(sum) as (keyof ScheduleCounts)[]) sum[name] += counts[name];
  return sum;
}
