import { statSync } from 'node:fs';
import { type Store, StoreRefused } from '../core/store.ts';
import type { Migration, Unmigrated } from './migrations.ts';
import {
  explainPostgresUrl,
  maskPostgresUrl,
  POSTGRES_SCHEME,
  parsePostgresUrl,
} from './postgres/driver/address.ts';
import type { PostgresOptions } from './postgres/postgres-store.ts';
import { IN_MEMORY } from './sqlite/database.ts';
import type { SqliteOptions } from './sqlite/sqlite-store.ts';

export const IN_MEMORY_URL = `sqlite:${IN_MEMORY}`;

const SQLITE_URL = /^sqlite:(?:\/\/)?(.+)$/;

const isPostgres = (databaseUrl: string) => POSTGRES_SCHEME.test(databaseUrl);

export const isEmbedded = (databaseUrl: string) => !isPostgres(databaseUrl);

/** Why an address can't name a database, or undefined where it can. */
export function explainDatabaseUrl(databaseUrl: string): string | undefined {
  if (isPostgres(databaseUrl)) return explainPostgresUrl(databaseUrl);
  return SQLITE_URL.test(databaseUrl)
    ? undefined
    : 'names no database; write sqlite:PATH, for example sqlite:data/transactions.db, or postgres://USER:PASSWORD@HOST:PORT/DATABASE';
}

/** Why an address can't name a replica, or undefined where it can. */
export function explainReplicaUrl(url: string): string | undefined {
  const fault = explainPostgresUrl(url);
  if (fault !== undefined) return fault;
  // How fresh one host is says nothing of the others.
  return parsePostgresUrl(url).urls.length === 1
    ? undefined
    : 'names several hosts; write an address of its own for each replica';
}

/** An address as it may be logged: without its password. */
export function describeDatabase(databaseUrl: string): string {
  return isPostgres(databaseUrl) ? maskPostgresUrl(databaseUrl) : databaseUrl;
}

function databasePath(databaseUrl: string): string {
  const path = SQLITE_URL.exec(databaseUrl)?.[1];
  if (path === undefined) throw new Error('the database address was not checked');
  return path;
}

export type OpenOptions = PostgresOptions & SqliteOptions;

const DEFAULT_OPTIONS: OpenOptions = { timeoutMs: 2000, connections: 2 };

/**
 * Opens the database of an address and brings its schema up to date.
 *
 * Throws: StoreRefused, with the database's address and what to do, where it can't be used.
 */
export async function openStore(
  databaseUrl: string,
  now: () => number,
  options: OpenOptions = DEFAULT_OPTIONS,
): Promise<{ store: Store; migrated: string[] }> {
  const open = async (): Promise<{ store: Store; migrated: Migration[] }> => {
    // Neither database's code is read where the other one is used.
    if (isPostgres(databaseUrl)) {
      const { openPostgresStore } = await import('./postgres/postgres-store.ts');
      return openPostgresStore(databaseUrl, now, options);
    }
    if (options.replicaUrls !== undefined && options.replicaUrls.length > 0)
      throw new StoreRefused('SQLite has no replicas. Leave DATABASE_REPLICA_URLS out.');
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore(databasePath(databaseUrl), now, options);
  };
  const { store, migrated } = await orExplain(databaseUrl, open);
  return { store, migrated: migrated.map(nameOf) };
}

/** What opening a database without changing it gives. */
export type StoreOrPending = { store: Store } | (Omit<Unmigrated, 'pending'> & { pending: string[] });

/**
 * Opens the database of an address where its schema is up to date, and changes nothing: none is made where none is.
 *
 * Throws: StoreRefused, as openStore does.
 */
export async function openStoreWithoutMigrating(
  databaseUrl: string,
  now: () => number,
  options: OpenOptions = DEFAULT_OPTIONS,
): Promise<StoreOrPending> {
  const opened = await orExplain(databaseUrl, async () => {
    if (isPostgres(databaseUrl)) {
      const { openPostgresStoreWithoutMigrating } = await import('./postgres/postgres-store.ts');
      return openPostgresStoreWithoutMigrating(databaseUrl, now, options);
    }
    const path = databasePath(databaseUrl);
    if (isMissing(path)) return { pending: [], isEmpty: true };
    const { openSqliteStoreWithoutMigrating } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStoreWithoutMigrating(path, now, options);
  });
  return 'store' in opened ? opened : { ...opened, pending: opened.pending.map(nameOf) };
}

/** Whether there is no file, or one into which nothing was written yet. */
function isMissing(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  } catch {
    // Opening it tells why.
    return false;
  }
}

const nameOf = ({ version, name }: Migration) => `${version} ${name}`;

/**
 * Gives a role of PostgreSQL the rights to serve, and no more.
 *
 * Throws: StoreRefused where the database knows no roles, or this one can't be given them.
 */
export async function grantService(databaseUrl: string, role: string): Promise<void> {
  await orExplain(databaseUrl, async () => {
    if (!isPostgres(databaseUrl)) throw new StoreRefused('SQLite has no roles. Leave --grant-to out.');
    const { grantPostgresService } = await import('./postgres/postgres-store.ts');
    await grantPostgresService(databaseUrl, role);
  });
}

async function orExplain<Answer>(databaseUrl: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    throw new StoreRefused(`The database ${describeDatabase(databaseUrl)} can't be used: ${error.message}`, {
      cause: error,
    });
  }
}
