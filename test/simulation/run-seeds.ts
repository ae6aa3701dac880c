import { runInWorkers } from '../rig/run/workers.ts';
import type { Outcome } from './simulate.ts';

/** The sum of several histories, and one that broke a promise, if any. */
export interface SeedsResult {
  seeds: number;
  responses: number;
  failed: (Pick<Outcome, 'seed' | 'history'> & { violation: string }) | undefined;
}

const CHUNK = 25;

/** Runs many seeds on all cores. A failing seed is returned with its history; the seed alone replays it. */
export async function runSeeds(options: {
  first?: number;
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (done: number) => void;
}): Promise<SeedsResult> {
  const module = new URL('./seeds-worker.ts', import.meta.url);
  const results = await runInWorkers<SeedsResult>({ module, chunk: CHUNK, ...options });
  return {
    seeds: results.reduce((sum, { seeds }) => sum + seeds, 0),
    responses: results.reduce((sum, { responses }) => sum + responses, 0),
    failed: results.find(({ failed }) => failed !== undefined)?.failed,
  };
}
