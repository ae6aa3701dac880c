import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Some runs of many, which their numbers decide. */
export interface Chunk {
  first: number;
  count: number;
}

export interface SharedWork {
  /** A module that calls `takeChunks`. */
  module: URL;
  first?: number;
  /** May be Infinity where there is an end in time. */
  count: number;
  /** Of performance.now(): no chunk begins after it. */
  endsAtMs?: number | undefined;
  /** How many runs a thread takes at once. */
  chunk: number;
  threads?: number;
  /** For every thread. */
  data?: unknown;
  onProgress?: (done: number) => void;
}

/** Runs are short and leave nothing behind: with more room, less of what they need is moved about as if it stayed. */
const maxYoungGenerationSizeMb = 64;

/** Runs many numbered runs on all cores and gives what each chunk of them came to, in no order. */
export async function shareOut<Result>({
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
  const takeTurn = (): Chunk | null => {
    if (next >= first + count || performance.now() > endsAtMs) return null;
    const taken = { first: next, count: Math.min(chunk, first + count - next) };
    next += taken.count;
    return taken;
  };
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(module, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb } });
      let current: Chunk | null = null;
      const give = () => {
        current = takeTurn();
        worker.postMessage(current);
      };
      worker.on('message', (result: Result) => {
        results.push(result);
        done += current?.count ?? 0;
        onProgress?.(done);
        give();
      });
      worker.on('error', (error) => {
        // The others have nothing to go on for.
        next = first + count;
        reject(error);
      });
      worker.on('exit', () => resolve());
      give();
    });
  const ends = await Promise.allSettled(Array.from({ length: threads }, runThread));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/** In a thread: does the chunks that it is given, until there are none. What `work` throws ends all threads. */
export function takeChunks<Data>(
  work: (chunk: Chunk, data: Data) => Promise<unknown>,
  end: () => Promise<void> = async () => {},
): void {
  const port = parentPort;
  if (port === null) throw new Error('this module is the work of a thread');
  port.on('message', async (chunk: Chunk | null) => {
    if (chunk !== null) return port.postMessage(await work(chunk, workerData));
    await end();
    port.close();
  });
}
