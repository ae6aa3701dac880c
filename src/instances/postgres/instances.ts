import { DATABASE_NOW_MS } from '../../db/postgres/database-clock.ts';
import { type BackgroundConnections, readStatement } from '../../db/postgres/driver/index.ts';
import { INSTANCE_LIFETIME_MS, type InstanceStore, instanceValues, type NotedInstance } from '../instance.ts';

/** The turns of instances among the background work: no account has this name. */
const INSTANCES = '*instances';

const SERVES = `seen_at_ms BETWEEN ${DATABASE_NOW_MS} - ${INSTANCE_LIFETIME_MS} AND ${DATABASE_NOW_MS}`;

/* The table is not distributed, so Citus allows the clock. */
const NOTE = readStatement(
  `INSERT INTO instances (instance, host, version, settings, started_at_ms, seen_at_ms)
VALUES ($1, $2, $3, $4, ${DATABASE_NOW_MS}, ${DATABASE_NOW_MS})
ON CONFLICT (instance) DO UPDATE SET seen_at_ms = EXCLUDED.seen_at_ms`,
  () => undefined,
);
/** An instance that removes others has locked its own row: it must not wait for theirs. */
const REMOVE_GONE = readStatement(
  `DELETE FROM instances WHERE instance IN (SELECT instance FROM instances WHERE NOT (${SERVES}) FOR UPDATE SKIP LOCKED)`,
  () => undefined,
);
const REMOVE = readStatement('DELETE FROM instances WHERE instance = $1', () => undefined);
const LIST = readStatement(
  `SELECT instance, host, version, settings, started_at_ms, seen_at_ms FROM instances WHERE ${SERVES} ORDER BY instance`,
  (row): NotedInstance => ({
    instance: row.text(),
    host: row.text(),
    version: row.text(),
    settings: JSON.parse(row.text()),
    startedAtMs: row.integer(),
    seenAtMs: row.integer(),
  }),
);

/** Instances by the clock of the database. */
export const instanceStore = (background: BackgroundConnections): InstanceStore => ({
  noteInstance: async (instance) => {
    await background.transact(INSTANCES, [
      { statement: NOTE, values: instanceValues(instance) },
      { statement: REMOVE_GONE, values: [] },
    ]);
  },
  removeInstance: async (instance) => {
    await background.transact(INSTANCES, [{ statement: REMOVE, values: [instance] }]);
  },
  listInstances: async () => {
    const [rows] = await background.transact(INSTANCES, [{ statement: LIST, values: [] }]);
    return rows;
  },
});
