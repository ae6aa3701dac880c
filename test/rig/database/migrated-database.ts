import pg from 'pg';
import { MIGRATIONS, migrate } from '../../../src/db/postgres/migrate.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { MIGRATED_VARIABLE } from '../run/global-setup.ts';
import { makePostgresDatabase } from './postgres.ts';

let migrated: Promise<string> | undefined;

function migratedDatabase(): Promise<string> {
  migrated ??= Promise.resolve(process.env[MIGRATED_VARIABLE] ?? makeOne());
  return migrated;
}

async function makeOne(): Promise<string> {
  const url = await makePostgresDatabase();
  await (await openStore(url, Date.now)).store.close();
  return new URL(url).pathname.slice(1);
}

export async function makeMigratedDatabase(): Promise<string> {
  return makePostgresDatabase(undefined, await migratedDatabase());
}

export async function migrateFurther(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const next = { version: MIGRATIONS.length + 1, name: 'made-up', sql, checksum: 'c' };
  return migrate(client, 0, [...MIGRATIONS, next]).finally(() => client.end());
}
