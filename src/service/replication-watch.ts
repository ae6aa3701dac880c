import type { ReplicationFacts } from '../operate/doctor/check-database.ts';
import { repeatedly, type Sleep } from './sleep.ts';
import type { StoreMetrics } from './store-metrics.ts';

const REPEAT_MS = 60_000;

interface ReplicationWatchOptions {
  read: () => Promise<ReplicationFacts>;
  metrics: Pick<StoreMetrics, 'setReplication'>;
  sleep?: Sleep;
}

/** Returns a function that stops the watch. */
export function startReplicationWatch({
  read,
  metrics,
  sleep,
}: ReplicationWatchOptions): () => Promise<void> {
  // An error is ignored: if the database is away, other log lines and metrics report that.
  return repeatedly(async () => metrics.setReplication(await read().catch(() => null)), REPEAT_MS, sleep);
}
