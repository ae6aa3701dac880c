import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { ConnectionUse } from '../db/connection-use.ts';
import { isArchiveFailing, type ReplicationFacts } from '../operate/doctor/check-database.ts';
import type { Store } from '../store/store.ts';

export interface StoreMetrics {
  recorded: Counter<'outcome'>;
  countLostRecordings(recordings: number): void;
  countLostEnds(): void;
  /** Negative if this machine's clock is behind the database's clock. */
  setClockOffset(seconds: number): void;
  setReplication(facts: ReplicationFacts | null): void;
  watchConnections(store: Pick<Store, 'connectionUse'>): void;
}

const OUTCOMES = ['recorded', 'changed', 'unchanged', 'conflict', 'invalid', 'unavailable', 'failed'];

export function createStoreMetrics(registers: Registry[]): StoreMetrics {
  const recorded = new Counter({
    name: 'transactions_recorded_total',
    help: 'Transactions received for recording, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  // Without a 0 first, an alert could not see the first increase.
  for (const outcome of OUTCOMES) recorded.inc({ outcome }, 0);
  const lost = new Counter({
    name: 'transactions_lost_recordings_total',
    help: 'Acknowledged recordings that the database had lost when the service reconnected to it.',
    registers,
  });
  const lostEnds = new Counter({
    name: 'transactions_lost_ends_total',
    help: 'Acknowledged revocations of keys, ends of sessions, removals of details, and changes of endpoints that the database had lost when the service reconnected to it.',
    registers,
  });
  const clockOffset = new Gauge({
    name: 'transactions_clock_offset_seconds',
    help: 'Seconds by which the clock of the service is ahead of the clock of the database; negative if it is behind. On SQLite, seconds by which it is behind the last write.',
    registers,
  });
  return {
    setReplication: replicationMetrics(registers),
    setClockOffset: (seconds) => clockOffset.set(seconds),
    recorded,
    countLostRecordings: (recordings) => lost.inc(recordings),
    countLostEnds: () => lostEnds.inc(),
    watchConnections: (store) => watchConnections(store, registers),
  };
}

function replicationMetrics(registers: Registry[]): StoreMetrics['setReplication'] {
  const behind = new Gauge({
    name: 'transactions_standby_behind_bytes',
    help: 'Bytes of the write-ahead log that a standby of the PostgreSQL server has not applied yet. Absent if the role lacks pg_monitor.',
    labelNames: ['standby'],
    registers,
  });
  const kept = new Gauge({
    name: 'transactions_idle_slot_kept_bytes',
    help: 'Bytes of the write-ahead log that a replication slot without a standby keeps on the disk of the PostgreSQL server.',
    labelNames: ['slot'],
    registers,
  });
  const failing = new Gauge({
    name: 'transactions_archive_failing',
    help: '1 if the last attempt to archive the write-ahead log failed, otherwise 0. Absent if archive_mode is off.',
    registers,
  });
  // A new gauge has the value 0. Here, 0 would report that archiving works, even if it is switched off.
  failing.remove();
  return (facts) => {
    for (const gauge of [behind, kept, failing]) gauge.reset();
    failing.remove();
    for (const { name, behindBytes } of facts?.standbys ?? [])
      if (behindBytes !== null) behind.set({ standby: name }, behindBytes);
    for (const { name, keptBytes } of facts?.idleSlots ?? []) kept.set({ slot: name }, keptBytes);
    if (facts?.archive) failing.set(Number(isArchiveFailing(facts.archive)));
  };
}

function watchConnections(store: Pick<Store, 'connectionUse'>, registers: Registry[]): void {
  if (store.connectionUse() === null) return;
  const gauge = (name: string, help: string, read: (use: ConnectionUse) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['purpose'],
      registers,
      collect() {
        for (const [purpose, use] of Object.entries(store.connectionUse() ?? {}))
          this.set({ purpose }, read(use));
      },
    });
  new Gauge({
    name: 'transactions_replica_used',
    help: '1 if lists are read from this replica, 0 if not: it is behind, does not respond, or is a primary. Absent until the first list.',
    labelNames: ['replica'],
    registers,
    aggregator: 'min',
    collect() {
      for (const [replica, isUsed] of Object.entries(store.connectionUse()?.replicas?.replicas ?? {}))
        this.set({ replica }, Number(isUsed));
    },
  });
  gauge(
    'transactions_database_connections',
    'Database connections that the service can open, by purpose.',
    ({ size }) => size,
  );
  gauge(
    'transactions_database_connections_open',
    'Database connections that are open, by purpose.',
    ({ open }) => open,
  );
  gauge(
    'transactions_database_queries_in_flight',
    'Queries without a result yet, waiting or executing, by purpose of their connection.',
    ({ inFlight }) => inFlight,
  );
}
