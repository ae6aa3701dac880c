import { Counter, Gauge, type Registry } from '@prometheus-io/client';

export type SealMetrics = ReturnType<typeof createSealMetrics>;

export function createSealMetrics(registers: Registry[]) {
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
    help: 'Changes that were not sealed at the last count. Missing before the first count.',
    registers,
  });
  unsealed.remove();
  return {
    countSealed: (changes: number) => sealed.inc(changes),
    countSealingFailure: () => failures.inc(),
    setUnsealed: (changes: number) => unsealed.set(changes),
  };
}
