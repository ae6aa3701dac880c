import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** A range of numbered runs. */
export interface Chunk {
  first: number;
  count: number;
}

export interface SharedWork {
  /** A module that calls `runChunks`. */
  module: URL;
  first?: number;
  /** Can be Infinity if `endsAtMs` is set. */
  count: number;
  /** No chunk begins after this time of performance.now(). */
  endsAtMs?: number | undefined;
  chunk: number;
  threads?: number;
  /** Passed to every thread. */
  data?: unknown;
  onProgress?: (done: number) => void;
}

/** A run's objects live briefly. In a large young generation, the garbage collector copies fewer of them. */
const maxYoungGenerationSizeMb = 64;

/** Executes numbered runs on all cores and returns the result of each chunk, in any order. */
export async function runInWorkers<Result>({
  module,
  first = 1,
  count,
  endsAtMs = Number.POSITIVE_INFINITY,
  chunk,
  threads = availableParallelism(),
  data,
  onProgress,
}: SharedWork): Promise<Result[]> {
  const results: Result[] = [];
  let next = first;
  let done = 0;
  const takeChunk = (): Chunk | null => {
    if (next >= first + count || performance.now() > endsAtMs) return null;
    const taken = { first: next, count: Math.min(chunk, first + count - next) };
    next += taken.count;
    return taken;
  };
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(module, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb } });
      let current: Chunk | null = null;
      const assign = () => {
        current = takeChunk();
        worker.postMessage(current);
      };
      worker.on('message', (result: Result) => {
        results.push(result);
        done += current?.count ?? 0;
        onProgress?.(done);
        assign();
      });
      worker.on('error', (error) => {
        // The other threads get no more chunks.
        next = first + count;
        reject(error);
      });
      worker.on('exit', () => resolve());
      assign();
    });
  // A thread without a chunk would only load its modules.
  const busy = Math.min(threads, Math.ceil(count / chunk));
  const ends = await Promise.allSettled(Array.from({ length: busy }, runThread));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/** In a worker: executes the chunks that it receives. An error of `work` ends all workers. */
export function runChunks<Data>(
  work: (chunk: Chunk, data: Data) => Promise<unknown>,
  end: () => Promise<void> = async () => {},
): void {
  const port = parentPort;
  if (port === null) throw new Error('this module must run in a worker thread');
  port.on('message', async (chunk: Chunk | null) => {
    if (chunk !== null) return port.postMessage(await work(chunk, workerData));
    await end();
    port.close();
  });
}
