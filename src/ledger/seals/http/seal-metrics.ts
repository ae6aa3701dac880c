import { Counter, Gauge, type Registry } from '@prometheus-io/client';

export interface SealMetrics {
  countSealed(changes: number): void;
  countSealingFailure(): void;
  /** How many changes of all accounts were not sealed at the last count. */
  setUnsealed(changes: number): void;
}

export function createSealMetrics(registers: Registry[]): SealMetrics {
  const sealed = new Counter({
    name: 'transactions_sealed_changes_total',
    help: 'Changes sealed.',
    registers,
  });
  const failures = new Counter({
    name: 'transactions_sealing_failures_total',
    help: 'Failed attempts to seal the changes of an account.',
    registers,
  });
  const unsealed = new Gauge({
    name: 'transactions_unsealed_changes',
    help: 'Changes that were not sealed at the last count, which runs each minute.',
    registers,
  });
  return {
    countSealed: (changes) => sealed.inc(changes),
    countSealingFailure: () => failures.inc(),
    setUnsealed: (changes) => unsealed.set(changes),
  };
}
