import { Counter, Gauge, type Registry } from '@prometheus-io/client';

export interface TotalsMetrics {
  /** Changes that were added to the stored totals. */
  countAdded(changes: number): void;
  countAddingFailure(): void;
  /** The changes of all accounts that were not in the stored totals when they were last counted. */
  setBehind(changes: number): void;
}

export function createTotalsMetrics(registers: Registry[]): TotalsMetrics {
  const added = new Counter({
    name: 'transactions_stored_totals_changes_total',
    help: 'Changes added to the stored totals.',
    registers,
  });
  const failures = new Counter({
    name: 'transactions_stored_totals_failures_total',
    help: 'Failed attempts to add changes to the stored totals.',
    registers,
  });
  const behind = new Gauge({
    name: 'transactions_stored_totals_behind_changes',
    help: 'Changes of all accounts that were not in the stored totals at the last count, which is made each minute.',
    registers,
  });
  return {
    countAdded: (changes) => added.inc(changes),
    countAddingFailure: () => failures.inc(),
    setBehind: (changes) => behind.set(changes),
  };
}
