import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { createHttpMetrics, type HttpMetrics } from '../http/telemetry/http-metrics.ts';
import { createKeyMetrics, type KeyMetrics } from '../keys/http/key-metrics.ts';
import { type ChangeMetrics, createChangeMetrics } from '../ledger/changes/http/change-metrics.ts';
import { createExportMetrics, type ExportMetrics } from '../ledger/exports/http/export-metrics.ts';
import { createSealMetrics, type SealMetrics } from '../ledger/seals/http/seal-metrics.ts';
import { createStaffMetrics, type StaffMetrics } from '../staff/http/staff-metrics.ts';
import { createWebhookMetrics, type WebhookMetrics } from '../webhooks/http/webhook-metrics.ts';
import { buildInfo } from './build-info.ts';
import { createStoreMetrics, type StoreMetrics } from './store-metrics.ts';

export interface Metrics
  extends HttpMetrics,
    StoreMetrics,
    KeyMetrics,
    ChangeMetrics,
    SealMetrics,
    ExportMetrics,
    WebhookMetrics,
    StaffMetrics {
  /** All metrics in the text format of Prometheus. */
  text(): Promise<{ contentType: string; body: string }>;
  /** Sends the counts of a worker process that ends to the first process. */
  sendToFirstProcess(): Promise<void>;
}

/** The metrics of a process or, with `aggregateWorkers`, the sums over all processes of the service. */
export function createMetrics({ aggregateWorkers = false } = {}): Metrics {
  const registry = new Registry();
  if (aggregateWorkers) AggregatorRegistry.setRegistries([registry]);
  const workers = aggregateWorkers ? new AggregatorRegistry() : null;
  collectDefaultMetrics({ register: registry });
  exportBuild(registry);
  return {
    ...createHttpMetrics([registry]),
    ...createStoreMetrics([registry]),
    ...createKeyMetrics([registry]),
    ...createChangeMetrics([registry]),
    ...createSealMetrics([registry]),
    ...createExportMetrics([registry]),
    ...createWebhookMetrics([registry]),
    ...createStaffMetrics([registry]),
    text: async () => ({
      contentType: registry.contentType,
      body: await (workers?.clusterMetrics() ?? registry.metrics()),
    }),
    sendToFirstProcess: async () => workers?.shutdown(),
  };
}

function exportBuild(registry: Registry): void {
  new Gauge({
    name: 'transactions_build_info',
    help: 'Always 1; its labels are the version of the service, and the commit that it was built from.',
    labelNames: ['version', 'commit'],
    registers: [registry],
    // All processes of a service are one program.
    aggregator: 'max',
  }).set({ ...buildInfo() }, 1);
}
