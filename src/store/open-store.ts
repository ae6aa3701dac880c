import { existsSync } from 'node:fs';
import { type Store, StoreRefused } from '../core/store.ts';
import { IN_MEMORY } from './sqlite/database.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

export const IN_MEMORY_URL = `sqlite:${IN_MEMORY}`;

const SQLITE_URL = /^sqlite:(?:\/\/)?(.+)$/;

/** Why an address can't name a database, or undefined where it can. */
export function explainDatabaseUrl(databaseUrl: string): string | undefined {
  return SQLITE_URL.test(databaseUrl)
    ? undefined
    : 'names no database; write sqlite:PATH, for example sqlite:data/transactions.db';
}

/** Whether opening the address would find a database rather than make one. */
export function databaseExists(databaseUrl: string): boolean {
  return existsSync(databasePath(databaseUrl));
}

function databasePath(databaseUrl: string): string {
  const path = SQLITE_URL.exec(databaseUrl)?.[1];
  if (path === undefined) throw new Error('the database address was not checked');
  return path;
}

/**
 * Opens the database of an address and brings its schema up to date.
 *
 * Throws: StoreRefused, with the database's address and what to do, where it can't be used.
 */
export async function openStore(
  databaseUrl: string,
  now: () => number,
): Promise<{ store: Store; migrated: string[] }> {
  try {
    const { store, migrated } = openSqliteStore(databasePath(databaseUrl), now);
    return { store, migrated: migrated.map(({ version, name }) => `${version} ${name}`) };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    throw new StoreRefused(`The database ${databaseUrl} can't be used: ${error.message}`, { cause: error });
  }
}
