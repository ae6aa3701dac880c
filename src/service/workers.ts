import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type BuiltFile, type ReadBuiltFile, readBuiltFile } from '../http/files/built-files.ts';
import { CommandFailed } from '../values/failure.ts';
import { sentence } from '../values/sentence.ts';
import { type Address, freePort, type ListeningApp } from './listener.ts';
import type { Metrics } from './metrics.ts';

/** Is notified of the number of an account's changes that are not in the stored totals. */
type OnTotalsBehind = (account: string, changes: number) => void;

export interface WorkerOptions {
  /** Is notified of what workers report with reportTotalsBehind. */
  onTotalsBehind?: OnTotalsBehind;
  /** The identity of the file that this process has opened as its database. */
  file?: string | undefined;
  /** Resolves at a stop signal. */
  stopped?: Promise<void>;
}

/** Tells a worker the file of the first process: after a restart, the address of the database can lead to another one. */
const FILE_VARIABLE = 'FILE_OF_FIRST_PROCESS';

/** In a worker, the identity of the file that the first process has opened as its database, if it is a file. */
export const fileOfFirstProcess = () => (cluster.isWorker ? process.env[FILE_VARIABLE] : undefined);

const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5000;
/** After a worker that ran this long, the next restart has the shortest delay again. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Starts processes that answer public requests on one port, and replaces each one that ends.
 *
 * Each worker listens on the port, and the kernel distributes the connections. If the first process distributed them,
 * connections handed to a worker that has just died would never be answered.
 *
 * Throws: CommandFailed if the port is in use, or the first worker does not start. That worker prints the reason.
 */
export async function startWorkers(
  count: number,
  address: Address,
  logger: Logger,
  { onTotalsBehind = () => {}, file, stopped }: WorkerOptions = {},
): Promise<ListeningApp> {
  // Fails if the port is in use. The workers would not fail if the other program shares its port too.
  const port = await freePort(address);
  const environment = {
    [address.settings[1]]: String(port),
    ...(file !== undefined && { [FILE_VARIABLE]: file }),
  };
  const team = new WorkerTeam(environment, logger, onTotalsBehind);
  const first = team.start();
  // Also while they start, which takes long on a busy machine: the process has some seconds to stop.
  void stopped?.then(() => team.stop());
  await listening(first).catch(async (error) => {
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
  readonly #onTotalsBehind: OnTotalsBehind;
  readonly #workers = new Set<Worker>();
  #replacing = false;
  #isStopped = false;
  #restartDelayMs = MIN_RESTART_DELAY_MS;

  constructor(environment: Record<string, string>, logger: Logger, onTotalsBehind: OnTotalsBehind) {
    this.#environment = environment;
    this.#logger = logger;
    this.#onTotalsBehind = onTotalsBehind;
  }

  /** Throws: CommandFailed if the system refuses the process at once. */
  start(): Worker {
    try {
      return this.#fork();
    } catch (error) {
      throw notStarted(error as Error);
    }
  }

  /**
   * Starts further workers, waits until each listens or ends, and from now on replaces each worker that ends.
   *
   * The first worker starts alone, before the others: a cause that prevents every start is then reported once.
   */
  async startOthers(count: number): Promise<void> {
    if (this.#isStopped) return;
    this.#replacing = true;
    const before = new Set(this.#workers);
    for (let index = 0; index < count; index++) this.#forkOrRetry();
    // A worker that ends meanwhile is replaced, but the replacement is not waited for: the others answer.
    const others = [...this.#workers].filter((worker) => !before.has(worker));
    await Promise.allSettled(others.map(listening));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#replacing = false;
    const exits = [...this.#workers].map((worker) => once(worker, 'exit'));
    for (const worker of this.#workers) worker.process.kill('SIGTERM');
    await Promise.all(exits);
  }

  #fork(): Worker {
    const worker = cluster.fork(this.#environment);
    const startedAtMs = performance.now();
    this.#workers.add(worker);
    const replace = (end: object) => {
      this.#workers.delete(worker);
      return this.#restart({ workerPid: worker.process.pid, ...end }, performance.now() - startedAtMs);
    };
    worker.on('message', ({ type, account, changes, name }) => {
      if (type === TOTALS_BEHIND) this.#onTotalsBehind(account, changes);
      if (type === BUILT_FILE) void sendBuiltFile(worker, name);
    });
    worker.once('exit', (status: number | null, signal: string | null) => replace({ status, signal }));
    // A worker that has just died also emits an error for each message sent to it. Its exit is reported separately.
    worker.on('error', (err) => {
      if (wasNeverStarted(worker)) void replace({ err });
    });
    return worker;
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

  /** If the system refuses a process with an exception, this process and its other workers must continue. */
  #forkOrRetry(): void {
    try {
      this.#fork();
    } catch (err) {
      void this.#restart({ err }, 0);
    }
  }
}

const notStarted = ({ message }: Error) =>
  new CommandFailed(`The system can't start a worker: ${sentence(message)}`);

const LISTENING = 'listening';

/** Reports to the first process that this worker answers requests. */
export function reportListening(): void {
  process.send?.({ type: LISTENING });
}

const TOTALS_BEHIND = 'totalsBehind';

/** Reports to the first process, which adds them, that an account has changes not in the stored totals. */
export function reportTotalsBehind(account: string, changes: number): void {
  // Without the first process, this one ends too.
  if (process.connected) process.send?.({ type: TOTALS_BEHIND, account, changes }, undefined, {}, () => {});
}

const BUILT_FILE = 'built-file';

/** In a worker. Only the first process builds the files. */
export const readFromFirstProcess: ReadBuiltFile = async (name) => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const receive = (message: { type: string; name: string; base64?: string; fault: string }) => {
    if (message.type !== BUILT_FILE || message.name !== name) return;
    if (message.base64 === undefined) reject(new Error(message.fault));
    else resolve(Buffer.from(message.base64, 'base64'));
  };
  process.on('message', receive);
  process.send?.({ type: BUILT_FILE, name }, undefined, {}, (error) => error && reject(error));
  try {
    return await promise;
  } finally {
    process.off('message', receive);
  }
};

async function sendBuiltFile(worker: Worker, name: BuiltFile): Promise<void> {
  const read = await readBuiltFile(name).then(
    (bytes) => ({ base64: bytes.toString('base64') }),
    (error) => ({ fault: String(error) }),
  );
  if (worker.isConnected()) worker.send({ type: BUILT_FILE, name, ...read });
}

/** Resolves when a worker answers requests. */
async function listening(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', ({ type }) => type === LISTENING && resolve());
  worker.once('exit', () =>
    reject(new CommandFailed('The first worker did not start. It printed the reason above.')),
  );
  worker.on('error', (error) => {
    if (wasNeverStarted(worker)) reject(notStarted(error));
  });
  return promise;
}

/** Whether the system failed to create the process: it then emits only an error, and no exit. */
function wasNeverStarted(worker: Worker): boolean {
  return worker.process.pid === undefined;
}

/** Ends a worker after a stop signal. Its counters are sent to the first process, so that the totals never fall. */
export async function disconnectWorker(metrics: Metrics): Promise<void> {
  await metrics.sendToFirstProcess().catch(() => {});
  cluster.worker?.disconnect();
}
