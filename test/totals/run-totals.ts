import { openStore } from '../../src/store/open-store.ts';
import { runInWorkers } from '../rig/run/workers.ts';

export interface TotalsData {
  databaseUrl: string;
}

/** The sum of several rounds. */
export interface TotalsResult {
  questions: number;
  /** Changes that were recorded or imported. */
  changes: number;
}

export const QUESTIONS_OF_ROUND = 100;
const ROUNDS_OF_CHUNK = 5;

/**
 * Asks for random totals on a database from all cores, while transactions are recorded, completed and imported. The first wrong
 * answer ends all workers.
 */
export async function runTotals(
  databaseUrl: string,
  questions: number,
  {
    firstRound = 1,
    endsAtMs,
    onProgress = () => {},
  }: { firstRound?: number; endsAtMs?: number | undefined; onProgress?: (questions: number) => void } = {},
): Promise<TotalsResult> {
  // Migrates the database before the workers start.
  const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
  await store.close();
  const results = await runInWorkers<TotalsResult>({
    module: new URL('./totals-worker.ts', import.meta.url),
    first: firstRound,
    count: Math.ceil(questions / QUESTIONS_OF_ROUND),
    chunk: ROUNDS_OF_CHUNK,
    data: { databaseUrl } satisfies TotalsData,
    endsAtMs,
    onProgress: (rounds) => onProgress(rounds * QUESTIONS_OF_ROUND),
  });
  const sum: TotalsResult = { questions: 0, changes: 0 };
  for (const result of results) {
    for (const name of Object.keys(sum) as (keyof TotalsResult)[]) sum[name] += result[name];
  }
  return sum;
}
