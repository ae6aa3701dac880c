import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';
import { INSTANCE_LIFETIME_MS, type InstanceStore, type NotedInstance } from './instance.ts';

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
