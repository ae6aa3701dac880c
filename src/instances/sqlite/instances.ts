import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_NOW_MS } from '../../db/sqlite/database-clock.ts';
import type { Synchronous } from '../../db/sqlite/synchronous.ts';
import { INSTANCE_LIFETIME_MS, type InstanceStore, instanceValues, type NotedInstance } from '../instance.ts';

const SERVES = `seen_at_ms BETWEEN ${DATABASE_NOW_MS} - ${INSTANCE_LIFETIME_MS} AND ${DATABASE_NOW_MS}`;

/** The writes of InstanceStore, inside the caller's transaction of the database. */
export type InstanceWriter = Synchronous<InstanceStore, 'noteInstance' | 'removeInstance'>;

export function instanceWriter(db: DatabaseSync): InstanceWriter {
  const note = db.prepare(
    `INSERT INTO instances (instance, host, version, settings, started_at_ms, seen_at_ms)
     VALUES (?, ?, ?, ?, ${DATABASE_NOW_MS}, ${DATABASE_NOW_MS})
     ON CONFLICT (instance) DO UPDATE SET seen_at_ms = excluded.seen_at_ms`,
  );
  const removeGone = db.prepare(`DELETE FROM instances WHERE NOT (${SERVES})`);
  const remove = db.prepare('DELETE FROM instances WHERE instance = ?');
  return {
    noteInstance: (instance) => {
      note.run(...instanceValues(instance));
      removeGone.run();
    },
    removeInstance: (instance) => {
      remove.run(instance);
    },
  };
}

export function instanceLister(db: DatabaseSync): () => NotedInstance[] {
  const list = db.prepare(
    `SELECT instance, host, version, settings, started_at_ms AS startedAtMs, seen_at_ms AS seenAtMs
     FROM instances WHERE ${SERVES} ORDER BY instance`,
  );
  return () =>
    list
      .all()
      .map((row) => ({ ...row, settings: JSON.parse(String(row['settings'])) }) as unknown as NotedInstance);
}
