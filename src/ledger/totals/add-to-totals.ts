import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../values/batch-size.ts';
import { type ChangeSums, type DaySum, MAX_SUMMED, type TotalsUpdater } from './totals.ts';
import { TotalsSum } from './totals-sum.ts';

/** How long a read aims to take: on SQLite, requests wait for it. */
const READ_MS = 20;
/** A write of more takes longer than recordings should wait for it. */
const MAX_SUMS = 1000;
/** The most reads before a write. */
const MAX_READS = 32;

interface AddingOptions {
  isStopped(): boolean;
  monotonicMs(): number;
  /** Resolves after a pause in which requests and recordings can work. */
  pause(): Promise<void>;
}

/**
 * Adds the changes of an account after `from` up to `upTo` to its stored totals, in short steps. Returns how many it added: fewer
 * after a stop, if another instance adds them meanwhile, or if the history was replaced.
 *
 * A write can wait for other programs, as on SQLite during an import. Then it adds what several reads have summed.
 */
export async function addToTotals(
  updater: Pick<TotalsUpdater, 'sumChanges' | 'addToTotals'>,
  account: string,
  { from, upTo }: { from: number; upTo: number },
  options: AddingOptions,
): Promise<number> {
  const { isStopped, monotonicMs, pause } = options;
  let added = from;
  let size = FIRST_BATCH_SIZE;
  let reads = 1;
  while (added < upTo && !isStopped()) {
    const next = Math.min(added + reads * size, upTo);
    const read = await sumInReads(updater, account, { after: added, upTo: next, size }, options);
    if (read === undefined) break;
    const { changes, readMs, longestMs } = read;
    const readAtMs = monotonicMs();
    if (!(await updater.addToTotals(account, added, next, changes))) break;
    added = next;
    const writeMs = monotonicMs() - readAtMs;
    const ofManySums = changes.sums.length > MAX_SUMS ? writeMs : 0;
    size = Math.min(MAX_SUMMED, batchSizeAfter(size, longestMs + ofManySums, READ_MS));
    const mostReads = Math.max(1, Math.floor((MAX_SUMS * reads) / Math.max(1, changes.sums.length)));
    reads = Math.min(writeMs > readMs ? 2 * reads : Math.ceil(reads / 2), mostReads, MAX_READS);
    await pause();
  }
  return added - from;
}

interface SummedReads {
  changes: ChangeSums;
  /** How long all reads took together, and how long the longest one took. */
  readMs: number;
  longestMs: number;
}

/**
 * Sums changes in several reads, or returns undefined after a stop. The last changes are the first that are read: the write compares their
 * nonce, so it adds nothing if the history was replaced in between.
 */
async function sumInReads(
  updater: Pick<TotalsUpdater, 'sumChanges'>,
  account: string,
  { after, upTo, size }: { after: number; upTo: number; size: number },
  { isStopped, monotonicMs, pause }: AddingOptions,
): Promise<SummedReads | undefined> {
  const sum = new TotalsSum();
  let lastNonce: number | null = null;
  let readMs = 0;
  let longestMs = 0;
  for (let last = upTo; last > after; last = Math.max(after, last - size)) {
    if (last < upTo) await pause();
    if (last < upTo && isStopped()) return undefined;
    const startedAtMs = monotonicMs();
    const changes = await updater.sumChanges(account, Math.max(after, last - size), last);
    const tookMs = monotonicMs() - startedAtMs;
    readMs += tookMs;
    longestMs = Math.max(longestMs, tookMs);
    for (const one of changes.sums) sum.add(one);
    if (last === upTo) lastNonce = changes.lastNonce;
  }
  return { changes: { sums: sum.list() as DaySum[], lastNonce }, readMs, longestMs };
}
