import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

export type ChangeMetrics = ReturnType<typeof createChangeMetrics>;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1];

export function createChangeMetrics(registers: Registry[]) {
  const waiting = new Gauge({
    name: 'transactions_change_callers_waiting',
    help: 'Callers that wait for changes (requests with wait that have no response yet).',
    registers,
  });
  const wakeUps = new Histogram({
    name: 'transactions_change_wakeup_seconds',
    help: 'Time from a recording of the same process to the response to a caller that waited for it.',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const changes = new Counter({
    name: 'transactions_changes_returned_total',
    help: 'Changes in responses of the change feed.',
    registers,
  });
  return {
    countWaiting: (callers: 1 | -1) => waiting.inc(callers),
    observeWakeUp: (seconds: number) => wakeUps.observe(seconds),
    countChanges: (count: number) => changes.inc(count),
  };
}
