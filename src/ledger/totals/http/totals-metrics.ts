import { Counter, Gauge, type Registry } from '@prometheus-io/client';

export interface TotalsMetrics {
  /** Changes that were added to a roll-up. */
  countFolded(changes: number): void;
  countFoldingFailure(): void;
  /** The changes of all accounts that were not in a roll-up when they were last counted. */
  setUnfolded(changes: number): void;
}

export function createTotalsMetrics(registers: Registry[]): TotalsMetrics {
  const folded = new Counter({
    name: 'transactions_changes_folded_total',
    help: 'Changes added to the stored totals.',
    registers,
  });
  const failures = new Counter({
    name: 'transactions_folding_failures_total',
    help: 'Failed attempts to add changes to the stored totals.',
    registers,
  });
  const unfolded = new Gauge({
    name: 'transactions_changes_unfolded',
    help: 'Changes of all accounts that were not in the stored totals at the last count, which is made each minute.',
    registers,
  });
  return {
    countFolded: (changes) => folded.inc(changes),
    countFoldingFailure: () => failures.inc(),
    setUnfolded: (changes) => unfolded.set(changes),
  };
}
