import { Worker as Thread, type WorkerOptions } from 'node:worker_threads';
import { mutationOf } from './load-mutant.ts';

/* Stands in for node:worker_threads in the modules of a mutant: the threads that they start run on the changed source too. */

export * from 'node:worker_threads';

export class Worker extends Thread {
  constructor(entry: URL, options: WorkerOptions = {}) {
    const argv = [entry.href, JSON.stringify(mutationOf(import.meta.url))];
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    super(new URL('./mutant-thread.ts', import.meta.url), { ...options, argv, execArgv });
  }
}
