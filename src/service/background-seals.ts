import type { Logger } from 'pino';
import type { SealMetrics } from '../ledger/seals/http/seal-metrics.ts';
import { sealUpTo } from '../ledger/seals/seal-up-to.ts';
import type { Sealer } from '../ledger/seals/seals.ts';
import { inGroups } from '../values/in-groups.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';

/** How long changes are gathered, so that a row is not written for each. */
const GATHER_MS = 2000;
/** Then other accounts have their turn: an import can leave millions. */
const MAX_AT_ONCE = 100_000;
/** How many accounts are sealed at once. On SQLite they share a commit. */
const ACCOUNTS_AT_ONCE = 8;
/** The work of a step before a pause as long, in which requests get their turn. */
const WORK_MS = 10;

interface BackgroundSealsDependencies {
  store: Sealer;
  logger: Logger;
  metrics: SealMetrics;
  monotonicMs?: () => number;
  sleep?: Sleep;
}

/**
 * Seals changes in the background, some seconds after they were recorded. Any number of instances can do so: each step is stored if nobody else has stored one. A
 * failure is counted, and the first one of an account logged until it succeeds; the next scan of the accounts finds the account again.
 */
export class BackgroundSeals {
  readonly #store: Sealer;
  readonly #logger: Logger;
  readonly #metrics: SealMetrics;
  readonly #monotonicMs: () => number;
  readonly #sleep: Sleep;
  readonly #stopping = new AbortController();
  readonly #due = new Set<string>();
  /** Accounts whose last sealing failed. */
  readonly #failed = new Set<string>();
  #wake = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();

  constructor({
    store,
    logger,
    metrics,
    monotonicMs = () => performance.now(),
    sleep = sleepUntilAborted,
  }: BackgroundSealsDependencies) {
    this.#store = store;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#monotonicMs = monotonicMs;
    this.#sleep = sleep;
  }

  /** Call when changes of an account were recorded, or when it was found to have changes that are not sealed. */
  noteUnsealed(account: string): void {
    this.#due.add(account);
    this.#wake.resolve();
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await this.#wake.promise;
      await this.#sleep(GATHER_MS, signal);
      if (signal.aborted) return;
      this.#wake = Promise.withResolvers();
      const due = [...this.#due];
      this.#due.clear();
      await inGroups(due, ACCOUNTS_AT_ONCE, (account) => this.#seal(account));
    }
  }

  async #seal(account: string): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    try {
      const { changes, sequence, headSequence } = await sealUpTo(
        this.#store,
        account,
        { atMost: MAX_AT_ONCE },
        {
          isStopped: () => this.#stopping.signal.aborted,
          monotonicMs: this.#monotonicMs,
          pause: this.#pauseAfterWork(),
        },
      );
      this.#metrics.countSealed(changes);
      this.#failed.delete(account);
      if (changes > 0 && sequence < headSequence) this.noteUnsealed(account);
    } catch (error) {
      if (!this.#failed.has(account))
        this.#logger.error(
          { err: error, account },
          'could not seal the changes of an account; trying again later',
        );
      this.#failed.add(account);
      this.#metrics.countSealingFailure();
    }
  }

  #pauseAfterWork(): () => Promise<void> {
    let workingSinceMs = this.#monotonicMs();
    return async () => {
      const workedMs = this.#monotonicMs() - workingSinceMs;
      if (workedMs >= WORK_MS) await this.#sleep(workedMs, this.#stopping.signal);
      workingSinceMs = this.#monotonicMs();
    };
  }
}
