import type { ReplicationFacts } from '../operate/doctor/check-database.ts';
import { repeatedly, type Sleep } from './sleep.ts';
import type { StoreMetrics } from './store-metrics.ts';

const REPEAT_MS = 60_000;

interface ReplicationWatchOptions {
  read: () => Promise<ReplicationFacts>;
  metrics: Pick<StoreMetrics, 'setReplication'>;
  sleep?: Sleep;
}

/**
 * Reads the state of standbys, slots and the archive from the primary, now and each minute, and sets the
 * metrics for it. Returns a function that stops this.
 */
export function startReplicationWatch({
  read,
  metrics,
  sleep,
}: ReplicationWatchOptions): () => Promise<void> {
  // An error is ignored: if the database is away, other log lines and metrics report that.
  return repeatedly(async () => metrics.setReplication(await read().catch(() => null)), REPEAT_MS, sleep);
}
