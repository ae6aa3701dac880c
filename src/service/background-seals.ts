import type { Logger } from 'pino';
import { inGroups } from '../../values/in-groups.ts';
import type { SealMetrics } from '../ledger/seals/http/seal-metrics.ts';
import { type Sealer, sealUpTo, type UnsealedLister } from '../ledger/seals/seals.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';

/** Sealing begins this long after a recording, so that several changes share a seal. */
const GATHER_MS = 2000;
/** An import can leave millions of changes to seal. After this many, other accounts take their turn. */
const MAX_AT_ONCE = 100_000;
/** This many accounts are sealed at the same time. On SQLite, their writes share a commit. */
const ACCOUNTS_AT_ONCE = 8;
/** Sealing an account pauses at least this long between its steps, so that requests can be served. */
const BETWEEN_STEPS_MS = 20;
const SCANNED_ACCOUNTS = 500;
const PAGE_PAUSE_MS = 100;
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

export type BackgroundSeals = ReturnType<typeof backgroundSeals>;

/** Instances can seal at the same time: a step is stored only if no other instance has stored it. */
export function backgroundSeals({
  store,
  logger,
  metrics,
  monotonicMs = () => performance.now(),
  sleep = sleepUntilAborted,
}: BackgroundSealsDependencies) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const due = new Set<string>();
  const failed = new Set<string>();
  let wake = Promise.withResolvers<void>();
  let hasScanFailed = false;
  let running: Promise<unknown> = Promise.resolve();

  const pause = oneAfterTheOther(() => sleep(BETWEEN_STEPS_MS, signal));

  const noteRecorded = (account: string) => {
    due.add(account);
    wake.resolve();
  };

  async function run(): Promise<void> {
    for (;;) {
      await wake.promise;
      await sleep(GATHER_MS, signal);
      if (signal.aborted) return;
      wake = Promise.withResolvers();
      const accounts = [...due];
      due.clear();
      await inGroups(accounts, ACCOUNTS_AT_ONCE, seal);
    }
  }

  async function scanAgainAndAgain(): Promise<void> {
    while (!signal.aborted) {
      const pages = await scan().catch((error) => {
        if (!hasScanFailed)
          logger.error({ err: error }, 'could not read the unsealed changes; trying again later');
        hasScanFailed = true;
        metrics.countSealingFailure();
        return Number.POSITIVE_INFINITY;
      });
      const pauseMs = Math.max(MIN_SCAN_PAUSE_MS, pages * SCAN_PAUSE_PER_PAGE_MS);
      await sleep(Math.min(pauseMs, MAX_SCAN_PAUSE_MS), signal);
    }
  }

  async function scan(): Promise<number> {
    let [unsealed, pages] = [0, 0];
    for (let last: string | null = ''; last !== null && !signal.aborted; pages++) {
      const page = await store.listUnsealed(last, SCANNED_ACCOUNTS);
      for (const { account, changes } of page.accounts) {
        unsealed += changes;
        noteRecorded(account);
      }
      last = page.last;
      if (last !== null) await sleep(PAGE_PAUSE_MS, signal);
    }
    if (signal.aborted) return pages;
    hasScanFailed = false;
    metrics.setUnsealed(unsealed);
    return pages;
  }

  async function seal(account: string): Promise<void> {
    if (signal.aborted) return;
    try {
      const options = { isStopped: () => signal.aborted, monotonicMs, pause };
      const sealed = await sealUpTo(store, account, { atMost: MAX_AT_ONCE }, options);
      metrics.countSealed(sealed.changes);
      failed.delete(account);
      if (sealed.changes > 0 && sealed.sequence < sealed.headSequence) noteRecorded(account);
    } catch (error) {
      if (!failed.has(account))
        logger.error({ err: error, account }, 'could not seal the changes of an account; trying again later');
      failed.add(account);
      metrics.countSealingFailure();
    }
  }

  return {
    noteRecorded,
    start(): void {
      running = Promise.all([run(), scanAgainAndAgain()]);
    },
    async stop(): Promise<void> {
      stopping.abort();
      wake.resolve();
      await running;
    },
  };
}

function oneAfterTheOther(sleep: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(sleep);
    return last;
  };
}
