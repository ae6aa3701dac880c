import { type Data, type DataSize, databaseOf, makeKeys } from './rig/data.ts';
import type { Databases } from './rig/databases.ts';
import { importInto } from './rig/import-process.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';

/** A database with the transactions of a size, and an API key for each account. */
export interface FilledDatabase extends Pick<Databases, 'store' | 'serverCpuMs'> {
  url: string;
  keys: Data['keys'];
}

/** The cached database on SQLite, or one that is imported into PostgreSQL. */
export async function filledDatabase(databases: Databases, size: DataSize): Promise<FilledDatabase> {
  const { store, serverCpuMs } = databases;
  if (store === 'SQLite') {
    const { path, keys } = await databaseOf(size);
    return { store, url: `sqlite:${path}`, keys, serverCpuMs };
  }
  const url = await databases.create();
  await importInto(url, size);
  await queryPostgresOnce(url, 'VACUUM (ANALYZE) transactions');
  return { store, url, keys: await makeKeys(url, size), serverCpuMs };
}
