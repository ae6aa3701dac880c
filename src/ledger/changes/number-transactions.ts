import type { ChangeNumberer } from './change.ts';

export interface NumberingOptions {
  isStopped(): boolean;
  /** Is called after each step that numbered some, with the number of all so far. */
  onProgress(numbered: number): void;
  /** Resolves after a pause in which recordings can work. */
  pause(): Promise<void>;
}

/**
 * Gives sequence numbers to all transactions that have none, in short transactions of the database. Returns how many it numbered;
 * the next call continues after a stop or a failure.
 */
export async function numberTransactions(
  numberer: ChangeNumberer,
  { isStopped, onProgress, pause }: NumberingOptions,
): Promise<number> {
  let numbered = 0;
  while (!isStopped()) {
    const count = await numberer.numberTransactions();
    if (count === 0) return numbered;
    numbered += count;
    onProgress(numbered);
    await pause();
  }
  return numbered;
}
