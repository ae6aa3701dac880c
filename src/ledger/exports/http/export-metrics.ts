import { Counter, Gauge, type Registry } from '@prometheus-io/client';

const EXPORT_OUTCOMES = [
  'complete',
  'closed',
  'slow_reader',
  'key_refused',
  'stopped',
  'removed',
  'unavailable',
  'differs',
  'failed',
] as const;
export type ExportOutcome = (typeof EXPORT_OUTCOMES)[number];

export type ExportMetrics = ReturnType<typeof createExportMetrics>;

export function createExportMetrics(registers: Registry[]) {
  const running = new Gauge({
    name: 'transactions_exports_running',
    help: 'Exports that are being sent.',
    registers,
  });
  const ended = new Counter({
    name: 'transactions_exports_total',
    help: 'Exports that ended, by outcome. All but complete were cut.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of EXPORT_OUTCOMES) ended.inc({ outcome }, 0);
  return {
    countRunning: (exports: 1 | -1) => running.inc(exports),
    countExport: (outcome: ExportOutcome) => ended.inc({ outcome }),
  };
}
