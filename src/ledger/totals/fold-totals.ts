import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../values/batch-size.ts';
import { MAX_SUMMED, type TotalsFolder } from './totals.ts';

/** How long a step aims to take: recordings wait no longer for it. */
const STEP_MS = 20;

interface FoldingOptions {
  isStopped(): boolean;
  monotonicMs(): number;
  /** Resolves after a pause in which recordings can work. */
  pause(): Promise<void>;
}

/**
 * Folds the changes of an account after `from` up to `upTo` in short steps. Returns how many it folded: fewer after a stop, if
 * another instance folds them meanwhile, or if the history was replaced.
 */
export async function foldChanges(
  folder: Pick<TotalsFolder, 'sumChanges' | 'fold'>,
  account: string,
  { from, upTo }: { from: number; upTo: number },
  { isStopped, monotonicMs, pause }: FoldingOptions,
): Promise<number> {
  let folded = from;
  let size = FIRST_BATCH_SIZE;
  while (folded < upTo && !isStopped()) {
    const next = Math.min(folded + size, upTo);
    const startedAtMs = monotonicMs();
    const changes = await folder.sumChanges(account, folded, next);
    if (!(await folder.fold(account, folded, next, changes))) break;
    size = Math.min(MAX_SUMMED, batchSizeAfter(size, monotonicMs() - startedAtMs, STEP_MS));
    folded = next;
    await pause();
  }
  return folded - from;
}
