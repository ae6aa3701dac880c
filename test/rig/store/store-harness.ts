import { statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { REMOVE_FENCE } from '../../../src/operate/copy/postgres/copy-sql.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { dropCitusDatabase, returnCitusDatabase, takeCitusDatabase } from '../database/citus.ts';
import { HOSTILE_SETTINGS } from '../database/hostile-settings.ts';
import { makeMigratedDatabase } from '../database/migrated-database.ts';
import {
  dropPostgresDatabase,
  makePostgresDatabase,
  makePostgresRole,
  oldestPostgresUrl,
  queryPostgres,
} from '../database/postgres.ts';
import { GIVE_UP_MS } from '../run/give-up.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';

export interface StoreHarness {
  url: string;
  open(): Promise<Store>;
  execute(sql: string): Promise<void>;
  ruin(): Promise<void>;
  dispose(): Promise<void>;
}

export interface EmptiedHarness extends StoreHarness {
  empty(): Promise<void>;
}

const NOW_MS = Date.UTC(2026, 5, 15);

function openings(url: string, remove: () => void | Promise<void>) {
  const opened: Store[] = [];
  return {
    url,
    open: async () => {
      const { store } = await openStore(url, () => NOW_MS);
      opened.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of opened) await store.close();
      await remove();
    },
  };
}

export async function sqliteHarness(): Promise<EmptiedHarness> {
  const folder = temporaryFolder();
  const path = `${folder.path}/transactions.db`;
  const withFile = (work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(path, { timeout: GIVE_UP_MS });
    work(db);
    db.close();
  };
  return {
    ...openings(`sqlite:${path}`, folder.remove),
    execute: async (sql) => withFile((db) => db.exec(sql)),
    empty: async () =>
      withFile((db) => {
        const tables = db
          .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations'`)
          .all();
        const deletions = tables.map(({ name }) => `DELETE FROM ${name}`);
        db.exec(`PRAGMA foreign_keys = OFF; BEGIN; ${deletions.join('; ')}; COMMIT`);
      }),
    ruin: async () => {
      const db = new DatabaseSync(path);
      db.exec('UPDATE schema_migrations SET name = name; PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
      writeFileSync(path, Buffer.alloc(statSync(path).size));
    },
  };
}

const emptied: string[] = [];

export async function postgresHarness(): Promise<EmptiedHarness> {
  const url = emptied.pop() ?? (await makeMigratedDatabase());
  const connection = keptConnection(url);
  let isAltered = false;
  const harness = harnessOn(url, async () => {
    if (!isAltered) await connection.query(EMPTY);
    await connection.close();
    if (!isAltered) emptied.push(url);
  });
  return {
    ...harness,
    execute: (sql) => {
      isAltered ||= altersSchema(sql);
      return connection.query(sql);
    },
    empty: () => connection.query(EMPTY),
    ruin: () => {
      isAltered = true;
      return harness.ruin();
    },
  };
}

export const altersSchema = (sql: string): boolean => /\b(ALTER|CREATE|DROP)\b/.test(sql);

function keptConnection(url: string) {
  let opening: Promise<pg.Client> | undefined;
  const open = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: GIVE_UP_MS });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  return {
    query: async (sql: string) => {
      opening ??= open();
      await (await opening).query(sql);
    },
    close: async () => {
      await (await opening)?.end();
    },
  };
}

const EMPTY = `DO $$
DECLARE name regclass;
BEGIN
  PERFORM pg_terminate_backend(pid, ${GIVE_UP_MS}) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IS DISTINCT FROM 'idle';
  IF EXISTS (SELECT FROM copy_state) THEN
    ${REMOVE_FENCE.join('; ')};
  END IF;
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
    IF name <> 'schema_migrations'::regclass THEN EXECUTE format('DELETE FROM %s', name); END IF;
  END LOOP;
END $$`;

export async function oldestPostgresHarness(): Promise<StoreHarness> {
  const url = await makePostgresDatabase(await oldestPostgresUrl());
  return harnessOn(url, () => dropPostgresDatabase(url));
}

let hostileRole: Promise<URL> | undefined;

async function makeHostileRole(): Promise<URL> {
  const url = await makeMigratedDatabase();
  const made = await makePostgresRole(url);
  const set = Object.entries(HOSTILE_SETTINGS).map(
    ([name, value]) => `ALTER ROLE ${made.role} SET ${name} = '${value}'`,
  );
  await queryPostgres(url, [`ALTER ROLE ${made.role} SUPERUSER`, ...set].join(';\n'));
  return new URL(made.url);
}

export async function hostilePostgresHarness(): Promise<StoreHarness> {
  hostileRole ??= makeHostileRole();
  const { username, password } = await hostileRole;
  const url = await makeMigratedDatabase();
  return harnessOn(url, () => {}, Object.assign(new URL(url), { username, password }).href);
}

function harnessOn(url: string, remove: () => void | Promise<void>, openedUrl: string = url): StoreHarness {
  return {
    ...openings(openedUrl, remove),
    execute: async (sql) => {
      await queryPostgres(url, sql);
    },
    ruin: () => dropPostgresDatabase(url),
  };
}

export async function citusHarness(): Promise<StoreHarness> {
  const url = await takeCitusDatabase();
  let isRuined = false;
  return {
    ...openings(url, async () => {
      if (!isRuined) await returnCitusDatabase(url);
    }),
    execute: async (sql) => {
      await queryPostgres(url, sql);
    },
    ruin: async () => {
      isRuined = true;
      await dropCitusDatabase(url);
    },
  };
}
