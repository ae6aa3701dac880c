import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';

/**
 * A process that serves. Each process registers itself in the database at intervals, so that settings that
 * must be equal can be compared.
 */
export interface Instance {
  /** Identifies the process: the same name as in its leases of webhooks. */
  instance: string;
  /** The machine and the process id, for people. */
  host: string;
  /** The program, as --version prints it. */
  version: string;
  settings: SharedSettings;
}

/** The settings that must be the same on all instances, by name: a text, or for secrets a digest of each. */
export type SharedSettings = Readonly<Record<string, string | readonly string[]>>;

/** An instance, with the times of its first and last registration by the clock of the database. */
export interface NotedInstance extends Instance {
  startedAtMs: number;
  seenAtMs: number;
}

/**
 * An instance that has not registered itself for this time is gone. So is one with a registration in the
 * future: its clock was ahead.
 */
export const INSTANCE_LIFETIME_MS = 60_000;

export interface InstanceStore {
  /** Notes that an instance serves now, and removes the instances that are gone. */
  noteInstance(instance: Instance): Promise<void>;
  /** Call when an instance stops. */
  removeInstance(instance: string): Promise<void>;
  /** The instances that serve, by their names. */
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
