import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';

/**
 * A process that serves. It registers itself in the database at intervals, so that settings that must be the
 * same in all processes can be compared.
 */
export interface Instance {
  /** Identifies the process, also in its webhook leases. */
  instance: string;
  /** The host name and the process id, for people. */
  host: string;
  /** The version of the program, as --version prints it. */
  version: string;
  settings: SharedSettings;
}

/** The settings that must be equal on all instances, by name. Each value is a text, or digests of secrets. */
export type SharedSettings = Readonly<Record<string, string | readonly string[]>>;

/** An instance with the times of its first and last registration, by the database's clock. */
export interface NotedInstance extends Instance {
  startedAtMs: number;
  seenAtMs: number;
}

/**
 * An instance is gone if it has not registered itself for this time. It is also gone if its registration is
 * in the future, because the clock was ahead then.
 */
export const INSTANCE_LIFETIME_MS = 60_000;

export interface InstanceStore {
  /** Registers an instance as serving now, and removes the instances that are gone. */
  noteInstance(instance: Instance): Promise<void>;
  /** Removes an instance that stops. */
  removeInstance(instance: string): Promise<void>;
  /** The instances that serve, ordered by name. */
  listInstances(): Promise<NotedInstance[]>;
}

const sql = statementsOf(new URL('./instances.sql', import.meta.url));
const NOTE = sql('noteInstance');
const REMOVE_GONE = sql('removeGone');
const REMOVE = sql('removeInstance');
const LIST = sql(
  'listInstances',
  (row): NotedInstance => ({
    instance: row.text(),
    host: row.text(),
    version: row.text(),
    settings: JSON.parse(row.text()),
    startedAtMs: row.integer(),
    seenAtMs: row.integer(),
  }),
);

const TURN = { turn: 'first', isUnsynced: true } as const;
const LIFETIME = { lifetimeMs: INSTANCE_LIFETIME_MS };

export const instanceStore = (db: Db): InstanceStore => ({
  noteInstance: async ({ instance, host, version, settings }) => {
    await db.write(TURN, [
      { statement: NOTE, values: { instance, host, version, settings: JSON.stringify(settings) } },
      { statement: REMOVE_GONE, values: LIFETIME },
    ]);
  },
  removeInstance: async (instance) => {
    await db.write(TURN, [{ statement: REMOVE, values: { instance } }]);
  },
  listInstances: () => db.read(LIST, LIFETIME),
});
