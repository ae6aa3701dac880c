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
 * Exports the state of standbys, slots and the archive, as the primary reports it: now, and again each
 * minute. Returns a function that stops it.
 */
export function startReplicationWatch({
  read,
  metrics,
  sleep,
}: ReplicationWatchOptions): () => Promise<void> {
  // While the database is away, other lines and metrics say so.
  return repeatedly(async () => metrics.setReplication(await read().catch(() => null)), REPEAT_MS, sleep);
}
