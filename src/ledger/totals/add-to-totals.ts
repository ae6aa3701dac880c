import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../values/batch-size.ts';
import { MAX_SUMMED, type TotalsUpdater } from './totals.ts';

/** How long a step aims to take: recordings wait no longer for it. */
const STEP_MS = 20;

interface AddingOptions {
  isStopped(): boolean;
  monotonicMs(): number;
  /** Resolves after a pause in which recordings can work. */
  pause(): Promise<void>;
}

/**
 * Adds the changes of an account after `from` up to `upTo` to its stored totals, in short steps. Returns how many it added: fewer
 * after a stop, if another instance adds them meanwhile, or if the history was replaced.
 */
export async function addToTotals(
  updater: Pick<TotalsUpdater, 'sumChanges' | 'addToTotals'>,
  account: string,
  { from, upTo }: { from: number; upTo: number },
  { isStopped, monotonicMs, pause }: AddingOptions,
): Promise<number> {
  let added = from;
  let size = FIRST_BATCH_SIZE;
  while (added < upTo && !isStopped()) {
    const next = Math.min(added + size, upTo);
    const startedAtMs = monotonicMs();
    const changes = await updater.sumChanges(account, added, next);
    if (!(await updater.addToTotals(account, added, next, changes))) break;
    size = Math.min(MAX_SUMMED, batchSizeAfter(size, monotonicMs() - startedAtMs, STEP_MS));
    added = next;
    await pause();
  }
  return added - from;
}
