import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';

export interface Instance {
  instance: string;
  host: string;
  version: string;
  settings: SharedSettings;
}

export type SharedSettings = Readonly<Record<string, string | readonly string[]>>;

/** The times are by the database's clock. */
export interface NotedInstance extends Instance {
  startedAtMs: number;
  seenAtMs: number;
}

/** If an instance was last seen longer ago than this, or in the future, it counts as gone. */
export const INSTANCE_LIFETIME_MS = 60_000;

export interface InstanceStore {
  noteInstance(instance: Instance): Promise<void>;
  removeInstance(instance: string): Promise<void>;
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
