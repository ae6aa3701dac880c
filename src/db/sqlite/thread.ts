import { once } from 'node:events';
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { asUnavailable } from './errors.ts';

export interface ThreadCall {
  id: number;
  name: string;
  values: readonly unknown[];
}

export type ThreadResponse =
  | { id: number; result: unknown }
  | { id: number; unavailable: Pick<StoreUnavailable, 'reason' | 'message'> }
  | { id: number; error: unknown };

/** The first call starts the thread. Calls are sent in order, and null tells the thread to end. */
export class Thread<Call extends ThreadCall> {
  readonly #name: string;
  readonly #url: URL;
  readonly #options: WorkerOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #count = 0;
  #isClosed = false;

  constructor(name: string, url: URL, options: WorkerOptions) {
    this.#name = name;
    this.#url = url;
    this.#options = options;
  }

  /** Rejects with StoreUnavailable if the database fails, or if the thread ends before its response. */
  call<Result>(call: Omit<Call, 'id'>): Promise<Result> {
    // Without this check, a call after `close` would start a new thread, which would never end.
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('database_closed'));
    const id = ++this.#count;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#worker ??= this.#start();
    // A call in progress keeps the process alive. An idle thread does not.
    this.#worker.ref();
    this.#worker.postMessage({ ...call, id });
    return waiting.promise as Promise<Result>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = once(worker, 'exit');
    // Without this call, the process could exit with status 13 before the thread has ended.
    worker.ref();
    worker.postMessage(null);
    await exited;
  }

  #start(): Worker {
    const worker = new Worker(this.#url, this.#options);
    let cause: Error | undefined;
    worker.on('message', (response: ThreadResponse) => this.#settle(worker, response));
    worker.on('error', (error) => {
      cause = error as Error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      const because = cause === undefined ? '' : `: ${cause.message}`;
      for (const { reject } of this.#waiting.values())
        reject(new StoreUnavailable('thread_ended', `the ${this.#name} thread ended${because}`, { cause }));
      this.#waiting.clear();
    });
    return worker;
  }

  #settle(worker: Worker, response: ThreadResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('result' in response) waiting?.resolve(response.result);
    else if ('unavailable' in response) {
      const { reason, message } = response.unavailable;
      waiting?.reject(new StoreUnavailable(reason, message));
    } else waiting?.reject(response.error);
  }
}

export function onCalls<Call extends ThreadCall>(onCall: (call: Call) => void, onClose: () => void) {
  const port = parentPort;
  if (port === null) throw new Error('this is not a worker thread');
  // Keeps the environment out of diagnostic reports. The main thread's setting does not apply here.
  process.report.excludeEnv = true;
  port.on('message', (call: Call | null) => (call === null ? onClose() : onCall(call)));
  return {
    respond: (response: ThreadResponse) => port.postMessage(response),
    end: () => port.close(),
  };
}

export function answerCalls(answer: (call: ThreadCall) => unknown, close: () => void = () => {}): void {
  const { respond, end } = onCalls<ThreadCall>(
    (call) => {
      try {
        respond({ id: call.id, result: answer(call) });
      } catch (error) {
        respond(failureOf(call.id, error));
      }
    },
    () => {
      close();
      end();
    },
  );
}

export function failureOf(id: number, error: unknown): ThreadResponse {
  const known = asUnavailable(error);
  if (!(known instanceof StoreUnavailable)) return { id, error };
  return { id, unavailable: { reason: known.reason, message: known.message } };
}
