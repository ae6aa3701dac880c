import type { Logger } from 'pino';
import { inGroups } from '../../values/in-groups.ts';
import type { SealMetrics } from '../ledger/seals/http/seal-metrics.ts';
import { type Sealer, sealUpTo, type UnsealedLister } from '../ledger/seals/seals.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';

/** Changes are collected this long before they are sealed, so that several changes share a seal. */
const GATHER_MS = 2000;
/**
 * After this many changes of an account, other accounts get a turn. An import can leave millions of changes
 * unsealed.
 */
const MAX_AT_ONCE = 100_000;
/** On SQLite, the writes of these accounts share a commit. */
const ACCOUNTS_AT_ONCE = 8;
/** The length of a step. A pause of the same length follows, so that requests are served. */
const WORK_MS = 10;
const SCANNED_ACCOUNTS = 500;
const PAGE_PAUSE_MS = 100;
/**
 * Each page of accounts makes the pause after a scan this much longer, so a service with few accounts scans
 * often.
 */
const SCAN_PAUSE_PER_PAGE_MS = 1500;
const MIN_SCAN_PAUSE_MS = 2000;
const MAX_SCAN_PAUSE_MS = 60_000;

interface BackgroundSealsDependencies {
  store: Sealer & UnsealedLister;
  logger: Logger;
  metrics: SealMetrics;
  monotonicMs?: () => number;
  sleep?: Sleep;
}

/**
 * Any number of instances can seal: a step is stored only if no other instance has stored it. A continual
 * scan finds the changes that imports and other instances recorded, and the accounts whose sealing failed.
 * For each account, only the first failure is logged until sealing succeeds again.
 */
export class BackgroundSeals {
  readonly #store: Sealer & UnsealedLister;
  readonly #logger: Logger;
  readonly #metrics: SealMetrics;
  readonly #monotonicMs: () => number;
  readonly #sleep: Sleep;
  readonly #stopping = new AbortController();
  readonly #due = new Set<string>();
  readonly #failed = new Set<string>();
  #wake = Promise.withResolvers<void>();
  #hasScanFailed = false;
  #running: Promise<unknown> = Promise.resolve();

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

  noteRecorded(account: string): void {
    this.#due.add(account);
    this.#wake.resolve();
  }

  start(): void {
    this.#running = Promise.all([this.#run(), this.#scanAgainAndAgain()]);
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

  async #scanAgainAndAgain(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const pages = await this.#scan().catch((error) => {
        if (!this.#hasScanFailed)
          this.#logger.error({ err: error }, 'could not read the unsealed changes; trying again later');
        this.#hasScanFailed = true;
        this.#metrics.countSealingFailure();
        return Number.POSITIVE_INFINITY;
      });
      const pauseMs = Math.max(MIN_SCAN_PAUSE_MS, pages * SCAN_PAUSE_PER_PAGE_MS);
      await this.#sleep(Math.min(pauseMs, MAX_SCAN_PAUSE_MS), signal);
    }
  }

  /** Returns how many pages of accounts there are. */
  async #scan(): Promise<number> {
    const { signal } = this.#stopping;
    let unsealed = 0;
    let pages = 0;
    for (let last: string | null = ''; last !== null && !signal.aborted; pages++) {
      const page = await this.#store.listUnsealed(last, SCANNED_ACCOUNTS);
      for (const { account, changes } of page.accounts) {
        unsealed += changes;
        this.noteRecorded(account);
      }
      last = page.last;
      if (last !== null) await this.#sleep(PAGE_PAUSE_MS, signal);
    }
    if (signal.aborted) return pages;
    this.#hasScanFailed = false;
    this.#metrics.setUnsealed(unsealed);
    return pages;
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
      if (changes > 0 && sequence < headSequence) this.noteRecorded(account);
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
