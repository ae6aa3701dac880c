import type { Logger } from 'pino';
import type { SealMetrics } from '../ledger/seals/http/seal-metrics.ts';
import { addToTotals } from '../ledger/totals/add-to-totals.ts';
import type { TotalsMetrics } from '../ledger/totals/http/totals-metrics.ts';
import type { AccountBehind, TotalsUpdater } from '../ledger/totals/totals.ts';
import { readNumbers } from '../ledger/totals/utc-totals.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';

/** The fewest changes that are added. Summing fewer for each reader costs less than the write. */
export const MIN_CHANGES_TO_ADD = 100;
/** Then other accounts have their turn: an import can leave millions. */
const MAX_AT_ONCE = 100_000;
/** How many accounts with fewer are added to at once. On SQLite they share a commit. */
const FEW_AT_ONCE = 16;
/** The work before a pause, in which recordings get their turn. */
const WORK_MS = 10;
/** As long as the work: a busy machine, where it takes longer, has longer pauses. */
const PAUSE_OF_WORK = 1;
/** How long after the end of a scan the next one looks through all accounts, because imports and other instances record too. */
const MIN_SCAN_MS = 2000;
const MAX_SCAN_MS = 60_000;
/** In between, so much for each page of accounts: few accounts are looked through often. */
const PAUSE_OF_PAGE_MS = 1500;
/** The pause after a page in which there was something to add: an import can go on. */
const PAUSE_OF_PAGE_AFTER_FIND_MS = 75;
/** So often, the fewer changes of accounts are added too. */
const FULL_SCAN_MS = 3_600_000;
const SCANNED_ACCOUNTS = 500;
/** The pause after accounts among which nothing was to be added. */
const SCAN_PAUSE_MS = 100;
const MIN_RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;

const FAILURE =
  'could not add changes to the stored totals; trying again later. Totals are right meanwhile, and slower to read';

interface BackgroundTotalsDependencies {
  store: TotalsUpdater;
  logger: Logger;
  metrics: TotalsMetrics & Pick<SealMetrics, 'setUnsealed'>;
  /** Is notified of each account that a scan finds with changes that are not sealed: one scan serves both. */
  onUnsealed: (account: string) => void;
  monotonicMs?: () => number;
  sleep?: Sleep;
}

/**
 * Adds changes to the stored totals in the background. Totals are right without it, and are read more slowly: so a failure
 * is only counted, the first of consecutive ones logged, and it tries again.
 */
export class BackgroundTotals {
  readonly #store: TotalsUpdater;
  readonly #logger: Logger;
  readonly #metrics: BackgroundTotalsDependencies['metrics'];
  readonly #onUnsealed: (account: string) => void;
  readonly #monotonicMs: () => number;
  readonly #sleep: Sleep;
  readonly #stopping = new AbortController();
  /** The changes that this process has recorded of accounts since the last scan or since they were due, fewer than MIN_CHANGES_TO_ADD each. */
  readonly #recorded = new Map<string, number>();
  /** Each with its numbers, if they were just read. */
  readonly #due = new Map<string, Pick<AccountBehind, 'totalsSequence' | 'headSequence'> | null>();
  #waking = new AbortController();
  /** When the work since the last pause began. */
  #workingSinceMs = 0;
  /** Consecutive ones. */
  readonly #failures = { scan: 0, addToTotals: 0 };
  #running: Promise<void> = Promise.resolve();

  constructor({
    store,
    logger,
    metrics,
    onUnsealed,
    monotonicMs = () => performance.now(),
    sleep = sleepUntilAborted,
  }: BackgroundTotalsDependencies) {
    this.#store = store;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#onUnsealed = onUnsealed;
    this.#monotonicMs = monotonicMs;
    this.#sleep = sleep;
  }

  /** Call when this process has recorded changes of an account. */
  noteRecorded(account: string, changes: number): void {
    const count = (this.#recorded.get(account) ?? 0) + changes;
    if (count < MIN_CHANGES_TO_ADD) this.#recorded.set(account, count);
    else this.noteBehind(account, count);
  }

  /** Call when an account was found to have changes not in the stored totals. */
  noteBehind(account: string, changes: number): void {
    if (changes < MIN_CHANGES_TO_ADD) return;
    this.#recorded.delete(account);
    this.#due.set(account, null);
    this.#waking.abort();
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let nextScanMs = this.#monotonicMs();
    let nextFullScanMs = nextScanMs + FULL_SCAN_MS;
    while (!signal.aborted) {
      const leftMs = nextScanMs - this.#monotonicMs();
      if (leftMs > 0) {
        this.#waking = new AbortController();
        if (this.#due.size === 0) await this.#sleep(leftMs, AbortSignal.any([signal, this.#waking.signal]));
        this.#workingSinceMs = this.#monotonicMs();
        await this.#addDue();
        continue;
      }
      this.#workingSinceMs = this.#monotonicMs();
      const isFull = this.#workingSinceMs >= nextFullScanMs;
      if (isFull) nextFullScanMs = this.#workingSinceMs + FULL_SCAN_MS;
      let pauseMs = MAX_SCAN_MS;
      await this.#orRetryLater('scan', async () => {
        pauseMs = await this.#scan(isFull);
      });
      nextScanMs = this.#monotonicMs() + Math.min(Math.max(MIN_SCAN_MS, pauseMs), MAX_SCAN_MS);
    }
  }

  /** Adds the changes of the accounts that have enough of them, or of all that have some. Returns how long the next scan can wait. */
  async #scan(isFull: boolean): Promise<number> {
    // The scan counts them itself, so that the map has no account that was quiet since the last one.
    this.#recorded.clear();
    let allBehind = 0;
    let unsealed = 0;
    let pages = 0;
    let found = 0;
    for (let last: string | null = ''; !this.#stopping.signal.aborted; ) {
      const page = await this.#store.listBehind(last, SCANNED_ACCOUNTS);
      const few: AccountBehind[] = [];
      for (const accountBehind of page.accounts) {
        const { account, ...numbers } = accountBehind;
        const behind = numbers.headSequence - numbers.totalsSequence;
        allBehind += behind;
        unsealed += numbers.headSequence - numbers.sealedSequence;
        if (numbers.headSequence > numbers.sealedSequence) this.#onUnsealed(account);
        if (behind >= MIN_CHANGES_TO_ADD) {
          found++;
          this.#due.set(account, numbers);
        } else if (isFull && behind > 0) few.push(accountBehind);
      }
      const isIdle = this.#due.size + few.length === 0;
      await this.#addDue();
      await this.#addFew(few);
      last = page.last;
      if (last === null) break;
      pages++;
      await (isIdle ? this.#pause(SCAN_PAUSE_MS) : this.#pauseAfterWork());
    }
    this.#failures.scan = 0;
    this.#metrics.setBehind(allBehind);
    this.#metrics.setUnsealed(unsealed);
    return pages * (found === 0 ? PAUSE_OF_PAGE_MS : PAUSE_OF_PAGE_AFTER_FIND_MS);
  }

  /** Adds the changes of the accounts that are due now. Those that become due meanwhile are left to the next call. */
  async #addDue(): Promise<void> {
    const due = [...this.#due];
    this.#due.clear();
    for (const [account, numbers] of due) {
      if (this.#stopping.signal.aborted) return;
      await this.#orRetryLater('addToTotals', () => this.#addToTotals(account, numbers));
    }
  }

  /** Adds the changes of accounts that have few, which takes one step each. */
  async #addFew(accounts: AccountBehind[]): Promise<void> {
    while (accounts.length > 0 && !this.#stopping.signal.aborted) {
      const group = accounts.splice(0, FEW_AT_ONCE);
      await this.#orRetryLater('addToTotals', async () => {
        await Promise.all(
          group.map(({ account, ...numbers }) => this.#addToTotals(account, numbers, async () => {})),
        );
        await this.#pauseAfterWork();
      });
    }
  }

  async #addToTotals(
    account: string,
    known: Pick<AccountBehind, 'totalsSequence' | 'headSequence'> | null,
    pause = () => this.#pauseAfterWork(),
  ): Promise<void> {
    const { totalsSequence: from, headSequence } = known ?? (await readNumbers(this.#store, account));
    if (known === null && headSequence - from < MIN_CHANGES_TO_ADD) return;
    const upTo = Math.min(headSequence, from + MAX_AT_ONCE);
    const added = await addToTotals(
      this.#store,
      account,
      { from, upTo },
      {
        isStopped: () => this.#stopping.signal.aborted,
        monotonicMs: this.#monotonicMs,
        pause,
      },
    );
    if (upTo < headSequence) this.#due.set(account, null);
    if (added > 0) this.#failures.addToTotals = 0;
    else await pause();
    this.#metrics.countAdded(added);
  }

  async #pauseAfterWork(): Promise<void> {
    const workedMs = this.#monotonicMs() - this.#workingSinceMs;
    if (workedMs < WORK_MS) return;
    await this.#pause(workedMs * PAUSE_OF_WORK);
  }

  /** Waits after a failure, longer after each consecutive one. What failed is found again by a scan. */
  async #orRetryLater(kind: 'scan' | 'addToTotals', work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const failures = this.#failures[kind]++;
      if (failures === 0) this.#logger.warn({ err: error }, FAILURE);
      this.#metrics.countAddingFailure();
      await this.#pause(Math.min(MIN_RETRY_MS * 2 ** failures, MAX_RETRY_MS));
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await this.#sleep(milliseconds, this.#stopping.signal);
    this.#workingSinceMs = this.#monotonicMs();
  }
}
