import { FILTER_PARAMETERS } from '../../src/ledger/list/list-filter.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runInWorkers } from '../rig/run/workers.ts';

export interface WalksData {
  databaseUrl: string;
}

/** The sum of several walks. */
export interface WalksResult {
  walks: number;
  pages: number;
  rows: number;
  recorded: number;
}

/** In a round, every subset of the filters is walked once. */
export const WALKS_PER_ROUND = 2 ** FILTER_PARAMETERS.length;

/** Runs walks on a database from all cores during recordings. The first failure ends all workers. */
export async function runWalks(
  databaseUrl: string,
  walks: number,
  {
    firstRound = 1,
    endsAtMs,
    onProgress = () => {},
  }: { firstRound?: number; endsAtMs?: number | undefined; onProgress?: (walks: number) => void } = {},
): Promise<WalksResult> {
  // Migrates the database before the workers start.
  const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
  await store.close();
  const results = await runInWorkers<WalksResult>({
    module: new URL('./walks-worker.ts', import.meta.url),
    first: firstRound,
    count: Math.ceil(walks / WALKS_PER_ROUND),
    chunk: 4,
    data: { databaseUrl },
    endsAtMs,
    onProgress: (rounds) => onProgress(rounds * WALKS_PER_ROUND),
  });
  const sum = { walks: 0, pages: 0, rows: 0, recorded: 0 };
  for (const result of results) {
    for (const name of Object.keys(sum) as (keyof WalksResult)[]) sum[name] += result[name];
  }
  return sum;
}
