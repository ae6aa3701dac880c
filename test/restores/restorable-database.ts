import { copyFileSync, renameSync } from 'node:fs';
import { copyCitusDatabase, dropCitusDatabase, makeCitusDatabase } from '../rig/database/citus.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { dropPostgresDatabase, makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

/** A database that can be copied while it is closed. */
export interface RestorableDatabase {
  url: string;
  /** Makes a backup, and returns how to restore it once. */
  backUp(): Promise<() => Promise<void>>;
  remove(): void | Promise<void>;
}

export function sqliteDatabase(): RestorableDatabase {
  const { path: folder, remove } = temporaryFolder();
  const path = `${folder}/live.db`;
  let backups = 0;
  return {
    url: `sqlite:${path}`,
    backUp: async () => {
      const copy = `${folder}/backup-${++backups}.db`;
      copyFileSync(path, copy);
      return async () => renameSync(copy, path);
    },
    remove,
  };
}

export async function postgresDatabase(): Promise<RestorableDatabase> {
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const url = await makeMigratedDatabase();
  const made = [url];
  const database: RestorableDatabase = {
    url,
    backUp: async () => {
      const copy = await makePostgresDatabase(undefined, nameOf(database.url));
      made.push(copy);
      return async () => {
        await queryPostgres(new URL('/postgres', copy).href, `DROP DATABASE ${nameOf(database.url)}`);
        database.url = copy;
      };
    },
    remove: async () => {
      for (const one of made) await dropPostgresDatabase(one);
    },
  };
  return database;
}

export async function citusDatabase(): Promise<RestorableDatabase> {
  const database: RestorableDatabase = {
    url: await makeCitusDatabase(),
    backUp: async () => {
      const copy = await copyCitusDatabase(database.url);
      return async () => {
        await dropCitusDatabase(database.url);
        database.url = copy;
      };
    },
    // With the other databases of the tests.
    remove: () => {},
  };
  return database;
}
