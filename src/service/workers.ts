import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CommandFailed } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';
import { type Address, freePort, type ListeningApp } from './listener.ts';
import type { Metrics } from './metrics.ts';
import type { Stopping } from './stop-signals.ts';

export interface WorkerOptions {
  file?: string | undefined;
  stopping?: Stopping;
}

const LISTENING = 'listening';

/** Tells workers which file the first process opened. Later, DATABASE_URL can lead to another file. */
const FILE_VARIABLE = 'FILE_OF_FIRST_PROCESS';

export const fileOfFirstProcess = () => (cluster.isWorker ? process.env[FILE_VARIABLE] : undefined);

const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5000;
const HEALTHY_AFTER_MS = 10_000;

/** Each worker has its own listener. A shared listener could pass a connection to a dying worker. */
export async function startWorkers(
  count: number,
  address: Address,
  logger: Logger,
  { file, stopping }: WorkerOptions = {},
): Promise<ListeningApp> {
  // Throws if another program uses the port, because workers might share the port with that program.
  const port = await freePort(address);
  const environment = {
    [address.settings[1]]: String(port),
    ...(file !== undefined && { [FILE_VARIABLE]: file }),
  };
  const team = new WorkerTeam(environment, logger);
  const listening = team.start();
  // A stop signal must also end workers that are still starting, because a start can take long.
  void stopping?.draining.then(() => team.drain());
  void stopping?.stopped.then(() => team.stop());
  await listening.catch(async (error) => {
    await team.stop();
    throw error;
  });
  await team.startOthers(count - 1);
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `http://${host}:${port}`, stop: () => team.stop() };
}

class WorkerTeam {
  readonly #environment: Record<string, string>;
  readonly #logger: Logger;
  /** Each worker's promise resolves when the worker answers requests. */
  readonly #workers = new Map<Worker, Promise<void>>();
  #replacing = false;
  #isStopped = false;
  #restartDelayMs = MIN_RESTART_DELAY_MS;

  constructor(environment: Record<string, string>, logger: Logger) {
    this.#environment = environment;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    try {
      await this.#fork();
    } catch (error) {
      throw error instanceof CommandFailed ? error : notStarted(error as Error);
    }
  }

  /** Call this after `start` has resolved, so that only the first worker reports a wrong setting. */
  async startOthers(count: number): Promise<void> {
    if (this.#isStopped) return;
    this.#replacing = true;
    const before = new Set(this.#workers.keys());
    for (let index = 0; index < count; index++) this.#forkOrRetry();
    const others = [...this.#workers].filter(([worker]) => !before.has(worker));
    // If a worker ends before it answers requests, this call does not fail: `#restart` replaces the worker.
    await Promise.allSettled(others.map(([, listening]) => listening));
  }

  drain(): void {
    this.#isStopped = true;
    this.#replacing = false;
    for (const worker of this.#workers.keys()) worker.process.kill('SIGTERM');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#replacing = false;
    const exits = [...this.#workers.keys()].map((worker) => once(worker, 'exit'));
    for (const worker of this.#workers.keys()) worker.process.kill('SIGINT');
    await Promise.all(exits);
  }

  #fork(): Promise<void> {
    const worker = cluster.fork(this.#environment);
    const startedAtMs = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // For a replacement, nobody awaits this promise. Its rejection must not end the process.
    promise.catch(() => {});
    this.#workers.set(worker, promise);
    const replace = (end: object) => {
      this.#workers.delete(worker);
      return this.#restart({ workerPid: worker.process.pid, ...end }, performance.now() - startedAtMs);
    };
    worker.on('message', (message) => {
      if (message === LISTENING) resolve();
    });
    worker.once('exit', (status: number | null, signal: string | null) => {
      reject(new CommandFailed('The first worker did not start. It printed the reason above.'));
      void replace({ status, signal });
    });
    worker.on('error', (err) => {
      // A dead worker emits an error for each message sent to it. Here, only a failed start matters.
      if (worker.process.pid !== undefined) return;
      reject(notStarted(err));
      void replace({ err });
    });
    return promise;
  }

  async #restart(end: object, livedMs: number): Promise<void> {
    if (!this.#replacing) return;
    this.#restartDelayMs =
      livedMs > HEALTHY_AFTER_MS
        ? MIN_RESTART_DELAY_MS
        : Math.min(2 * this.#restartDelayMs, MAX_RESTART_DELAY_MS);
    this.#logger.error({ ...end, restartAfterMs: this.#restartDelayMs }, 'a worker ended');
    await delay(this.#restartDelayMs);
    if (this.#replacing) this.#forkOrRetry();
  }

  #forkOrRetry(): void {
    try {
      void this.#fork();
    } catch (err) {
      void this.#restart({ err }, 0);
    }
  }
}

const notStarted = ({ message }: Error) =>
  new CommandFailed(`The system can't start a worker: ${sentence(message)}`);

/** The first process may be gone, so an error in sending the message is ignored. */
export function reportListening(): void {
  process.send?.(LISTENING, undefined, {}, () => {});
}

/** Sends the counts to the first process, so that its totals do not fall when this worker ends. */
export async function disconnectWorker(metrics: Metrics): Promise<void> {
  await metrics.sendToFirstProcess().catch(() => {});
  cluster.worker?.disconnect();
}
