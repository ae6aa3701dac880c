import { runInWorkers, type SharedWork } from '../rig/run/workers.ts';
import { noCounts, type ScheduleCounts } from './schedule.ts';
import { prepareDatabase } from './schedule-database.ts';

export interface SchedulesData {
  /** The URL of an empty PostgreSQL database. */
  databaseUrl: string;
}

type ScheduleOptions = SchedulesData &
  Pick<SharedWork, 'first' | 'count' | 'threads' | 'endsAtMs' | 'onProgress'>;

const CHUNK = 30;

/** Runs schedules on all cores. The first broken promise ends all workers. */
export async function runSchedules({ databaseUrl, ...options }: ScheduleOptions): Promise<ScheduleCounts> {
  await prepareDatabase(databaseUrl);
  const module = new URL('./schedules-worker.ts', import.meta.url);
  const data: SchedulesData = { databaseUrl };
  const results = await runInWorkers<ScheduleCounts>({ module, chunk: CHUNK, data, ...options });
  const sum = noCounts();
  for (const counts of results)
    for (const name of Object.keys(sum) as (keyof ScheduleCounts)[]) sum[name] += counts[name];
  return sum;
}
