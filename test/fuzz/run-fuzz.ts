import { runInWorkers } from '../rig/run/workers.ts';

/** The number of requests that got each status. */
export interface FuzzResult {
  requests: number;
  byStatus: Record<string, number>;
}

const CHUNK = 500;

interface FuzzOptions {
  count: number;
  first?: number;
  endsAtMs?: number | undefined;
  onProgress?: (done: number) => void;
}

/** Sends malformed requests on all cores, and checks every response. The first failure ends all workers. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const sum: FuzzResult = { requests: 0, byStatus: {} };
  const module = new URL('./fuzz-worker.ts', import.meta.url);
  for (const { requests, byStatus } of await runInWorkers<FuzzResult>({ module, chunk: CHUNK, ...options })) {
    sum.requests += requests;
    for (const [status, count] of Object.entries(byStatus))
      sum.byStatus[status] = (sum.byStatus[status] ?? 0) + count;
  }
  return sum;
}
