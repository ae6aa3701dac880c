import { openStore } from '../../../src/store/open-store.ts';
import { MIGRATED_VARIABLE } from '../run/global-setup.ts';
import { makePostgresDatabase } from './postgres.ts';

let migrated: Promise<string> | undefined;

/**
 * The name of a database with all tables and no rows on the run's server: the run's database, or a new one if
 * the test file runs alone.
 */
function migratedDatabase(): Promise<string> {
  migrated ??= Promise.resolve(process.env[MIGRATED_VARIABLE] ?? migrate());
  return migrated;
}

async function migrate(): Promise<string> {
  const url = await makePostgresDatabase();
  await (await openStore(url, Date.now)).store.close();
  return new URL(url).pathname.slice(1);
}

/** Copies a migrated database: all migrations take longer than most tests. Returns the copy's address. */
export async function makeMigratedDatabase(): Promise<string> {
  return makePostgresDatabase(undefined, await migratedDatabase());
}
