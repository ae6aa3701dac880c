import { shareOut } from '../rig/workers.ts';
import type { Outcome } from './simulate.ts';

/** What some seeds came to. */
export interface SeedsResult {
  seeds: number;
  answers: number;
  failed: (Pick<Outcome, 'seed' | 'history'> & { violation: string }) | undefined;
}

const CHUNK = 25;

/** Runs many seeds on all cores. Of a failing one it tells the history; the seed alone replays it. */
export async function runSeeds(options: {
  first?: number;
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (done: number) => void;
}): Promise<SeedsResult> {
  const module = new URL('./seeds-worker.ts', import.meta.url);
  const results = await shareOut<SeedsResult>({ module, chunk: CHUNK, ...options });
  return {
    seeds: results.reduce((sum, { seeds }) => sum + seeds, 0),
    answers: results.reduce((sum, { answers }) => sum + answers, 0),
    failed: results.find(({ failed }) => failed !== undefined)?.failed,
  };
}
