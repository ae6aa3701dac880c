import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { CAPABILITIES } from '../capabilities.ts';
import { createHttpMetrics, type HttpMetrics } from '../http/telemetry/http-metrics.ts';
import { buildInfo } from './build-info.ts';
import { createStoreMetrics, type StoreMetrics } from './store-metrics.ts';

type Measured = Extract<(typeof CAPABILITIES)[number], { metrics: unknown }>;
type All<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer Each) => void
  ? Each
  : never;

type CapabilityMetrics = All<ReturnType<Measured['metrics']>>;

export type Metrics = HttpMetrics &
  StoreMetrics &
  CapabilityMetrics & {
    text(): Promise<{ contentType: string; body: string }>;
    sendToFirstProcess(): Promise<void>;
  };

export function createMetrics({ aggregateWorkers = false } = {}): Metrics {
  const registry = new Registry();
  if (aggregateWorkers) AggregatorRegistry.setRegistries([registry]);
  const workers = aggregateWorkers ? new AggregatorRegistry() : null;
  collectDefaultMetrics({ register: registry });
  exportBuild(registry);
  return {
    ...createHttpMetrics([registry]),
    ...createStoreMetrics([registry]),
    ...createCapabilityMetrics([registry]),
    text: async () => ({
      contentType: registry.contentType,
      body: await (workers?.clusterMetrics() ?? registry.metrics()),
    }),
    sendToFirstProcess: async () => workers?.shutdown(),
  };
}

const createCapabilityMetrics = (registers: Registry[]): CapabilityMetrics =>
  Object.assign({}, ...CAPABILITIES.map((part) => ('metrics' in part ? part.metrics(registers) : {})));

function exportBuild(registry: Registry): void {
  new Gauge({
    name: 'transactions_build_info',
    help: 'Always 1; its labels are the version of the service, and the commit that it was built from.',
    labelNames: ['version', 'commit'],
    registers: [registry],
    aggregator: 'max',
  }).set({ ...buildInfo() }, 1);
}
