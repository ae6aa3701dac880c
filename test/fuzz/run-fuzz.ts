import { runInWorkers } from '../rig/workers.ts';

/** What some requests were answered with. */
export interface FuzzResult {
  requests: number;
  byStatus: Record<string, number>;
}

const CHUNK = 500;

export interface FuzzOptions {
  count: number;
  first?: number;
  endsAtMs?: number | undefined;
  onProgress?: (done: number) => void;
}

/** Sends requests that are wrong in some way, on all cores, and checks every answer. What goes wrong ends all. */
export const runFuzz = (options: FuzzOptions) => fuzz(new URL('./fuzz-worker.ts', import.meta.url), options);

/** The same with bytes that are no HTTP in some way, through sockets. */
export const runSocketFuzz = (options: FuzzOptions) =>
  fuzz(new URL('./socket-fuzz-worker.ts', import.meta.url), options);

async function fuzz(module: URL, options: FuzzOptions): Promise<FuzzResult> {
  const sum: FuzzResult = { requests: 0, byStatus: {} };
  for (const { requests, byStatus } of await runInWorkers<FuzzResult>({ module, chunk: CHUNK, ...options })) {
    sum.requests += requests;
    for (const [status, count] of Object.entries(byStatus))
      sum.byStatus[status] = (sum.byStatus[status] ?? 0) + count;
  }
  return sum;
}
