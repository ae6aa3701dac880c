import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Metrics } from '../http/telemetry/metrics.ts';
import { CommandFailed } from './failure.ts';
import { type Address, freePort, type Listener } from './listener.ts';

const FIRST_RESTART_AFTER_MS = 100;
const LAST_RESTART_AFTER_MS = 5000;
/** A worker that lived so long did not end because of how it starts. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Starts processes that answer public requests on one port. One that ends without being told to is replaced.
 *
 * Each listens by itself, and the kernel deals connections out. Dealt out by the first process, those on their
 * way to a process that has just died would never be answered.
 *
 * Throws: CommandFailed where the port is in use, or the first one does not come so far and has told why itself.
 */
export async function startWorkers(count: number, address: Address, logger: Logger): Promise<Listener> {
  // Who listens so shares the port with whoever does too: that nobody else does is looked at before.
  const port = await freePort(address);
  const team = new Set<Worker>();
  // The first one is not replaced before it has shown that one can listen.
  let replacing = false;
  let restartAfterMs = FIRST_RESTART_AFTER_MS;

  const start = (): Worker => {
    const worker = cluster.fork({ [address.settings[1]]: String(port) });
    const startedAtMs = performance.now();
    team.add(worker);
    const replace = (end: object) => {
      team.delete(worker);
      return startLater({ workerPid: worker.process.pid, ...end }, performance.now() - startedAtMs);
    };
    worker.once('exit', (status: number | null, signal: string | null) => replace({ status, signal }));
    // One that just died fails what is sent to it too, and tells its end besides.
    worker.on('error', (err) => {
      if (wasNeverStarted(worker)) void replace({ err });
    });
    return worker;
  };

  const startLater = async (end: object, livedMs: number): Promise<void> => {
    if (!replacing) return;
    restartAfterMs =
      livedMs > HEALTHY_AFTER_MS
        ? FIRST_RESTART_AFTER_MS
        : Math.min(2 * restartAfterMs, LAST_RESTART_AFTER_MS);
    logger.error({ ...end, restartAfterMs }, 'a worker ended');
    await delay(restartAfterMs);
    if (replacing) startOrTryLater();
  };

  /** Some refusals of the system are thrown at once. They end neither this process nor the workers that it has. */
  const startOrTryLater = () => {
    try {
      start();
    } catch (err) {
      void startLater({ err }, 0);
    }
  };

  const stop = async () => {
    replacing = false;
    const left = [...team].map((worker) => once(worker, 'exit'));
    for (const worker of team) worker.process.kill('SIGTERM');
    await Promise.all(left);
  };

  // Alone, so that what keeps all of them from starting is told once.
  const first = startFirst(start);
  await listening(first).catch(async (error) => {
    await stop();
    throw error;
  });
  replacing = true;
  for (let index = 1; index < count; index++) startOrTryLater();
  // Whoever ends meanwhile is replaced, and waited for by nobody: the others answer.
  const others = [...team].filter((worker) => worker !== first);
  await Promise.allSettled(others.map(listening));
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `http://${host}:${port}`, stop };
}

function startFirst(start: () => Worker): Worker {
  try {
    return start();
  } catch (error) {
    throw notStarted(error as Error);
  }
}

const notStarted = ({ message }: Error) => new CommandFailed(`The system starts no worker: ${message}.`);

const LISTENING = 'listening';

/** Tells the process that started this one that it answers requests. */
export function joinTeam(): void {
  process.send?.({ type: LISTENING });
}

/** Resolves when a worker answers requests. */
async function listening(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', ({ type }) => type === LISTENING && resolve());
  worker.once('exit', () =>
    reject(new CommandFailed('The first worker did not start. What it wrote above says why.')),
  );
  worker.on('error', (error) => {
    if (wasNeverStarted(worker)) reject(notStarted(error));
  });
  return promise;
}

/** Whether the system had no room for its process: nothing but an error tells that it is not there. */
function wasNeverStarted(worker: Worker): boolean {
  return worker.process.pid === undefined;
}

/** Ends a worker that was told to stop: its counts are handed on, so that the sums of all never fall. */
export async function leaveTeam(metrics: Metrics): Promise<void> {
  await metrics.sendToFirstProcess().catch(() => {});
  cluster.worker?.disconnect();
}
