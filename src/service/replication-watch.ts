import type { ReplicationFacts } from '../operate/doctor/check-server.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';
import type { StoreMetrics } from './store-metrics.ts';

const REPEAT_MS = 60_000;

interface ReplicationWatchOptions {
  read: () => Promise<ReplicationFacts>;
  metrics: Pick<StoreMetrics, 'setReplication'>;
  sleep?: Sleep;
}

/** Exports what the primary says of its standbys, its slots and its archive: now, and again each minute. Returns a function that stops it. */
export function startReplicationWatch({
  read,
  metrics,
  sleep = sleepUntilAborted,
}: ReplicationWatchOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      // While the database is away, other lines and metrics say so.
      metrics.setReplication(await read().catch(() => null));
      await sleep(REPEAT_MS, signal);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
