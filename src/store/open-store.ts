import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreRefused } from '../../values/store-errors.ts';
import {
  FIND_DATABASE,
  type Migration,
  migrationName,
  refuseUnmigrated,
  type Unmigrated,
} from '../db/migrations.ts';
import type { DatabaseFacts } from '../db/postgres/database-facts.ts';
import {
  addressForPrograms,
  explainPostgresUrl,
  maskPostgresUrl,
  POSTGRES_SCHEME,
  parsePostgresUrl,
} from '../db/postgres/driver/address.ts';
import type { PostgresOptions } from '../db/postgres/store-connections.ts';
import { IN_MEMORY } from '../db/sqlite/open-database.ts';
import { type AccountArchiver, accountArchiver } from '../operate/archive/account-archiver.ts';
import type { CopyReader } from '../operate/copy/copy-reader.ts';
import type { CopyTarget } from '../operate/copy/copy-target.ts';
import type { ReplicationFacts } from '../operate/doctor/check-database.ts';
import { type AccountEraser, accountEraser } from '../operate/erase/account-eraser.ts';
import type { VerifyReader } from '../operate/verify-reader.ts';
import type { Writer } from '../operate/writer/writer.ts';
import type { SqliteOptions } from './sqlite-store.ts';
import type { Store } from './store.ts';

export { addressForPrograms };

export const IN_MEMORY_URL = `sqlite:${IN_MEMORY}`;

const SQLITE_URL = /^sqlite:(?:\/\/)?(\S.*)$/;

const isPostgres = (databaseUrl: string) => POSTGRES_SCHEME.test(databaseUrl);

export const isEmbedded = (databaseUrl: string) => !isPostgres(databaseUrl);

export function explainDatabaseUrl(databaseUrl: string): string | undefined {
  if (isPostgres(databaseUrl)) return explainPostgresUrl(databaseUrl);
  const path = SQLITE_URL.exec(databaseUrl)?.[1];
  if (path?.includes('?'))
    return 'has parameters, or a ? in its path; the address of a SQLite database is sqlite:PATH alone';
  if (path === IN_MEMORY)
    return 'is a database in memory, which no other program can use and which ends with the command; write sqlite:PATH';
  // SQLite would read the path as a URI: file:a.db means a.db, and file::memory: means a database in memory.
  if (path?.startsWith('file:')) return 'has a path that begins with file:; write sqlite:PATH';
  return path !== undefined
    ? undefined
    : 'is not the address of a database; write sqlite:PATH, for example sqlite:data/transactions.db, or postgres://USER:PASSWORD@HOST:PORT/DATABASE';
}

export function explainReplicaUrl(url: string): string | undefined {
  const fault = explainPostgresUrl(url);
  if (fault !== undefined) return fault;
  // Allows one host, because the lag is measured once per address, and each host can lag differently.
  return parsePostgresUrl(url).urls.length === 1
    ? undefined
    : 'names several hosts; write one address for each replica';
}

export function describeDatabase(databaseUrl: string): string {
  return isPostgres(databaseUrl) ? maskPostgresUrl(databaseUrl) : databaseUrl;
}

/** Returns the address without the password, and with an absolute path. */
export function describeFromEverywhere(databaseUrl: string): string {
  if (isPostgres(databaseUrl)) return maskPostgresUrl(databaseUrl);
  const path = databasePath(databaseUrl);
  return `sqlite:${path === IN_MEMORY ? path : resolve(path)}`;
}

const databasePath = (databaseUrl: string): string => databaseUrl.replace(/^sqlite:(?:\/\/)?/, '');

export interface OpenOptions extends PostgresOptions, SqliteOptions {
  /** Refuses a database that is missing, empty or older than the program. Creates and migrates nothing. */
  mustBeMigrated?: boolean;
}

const DEFAULT_OPTIONS = { timeoutMs: 60_000, connections: 2 } satisfies OpenOptions;

export interface OpenedStore {
  store: Store;
  migrated: string[];
  isNew: boolean;
  file: string | undefined;
  server: DatabaseFacts | undefined;
}

type Opening = Pick<OpenedStore, 'store'> &
  Partial<Pick<OpenedStore, 'file' | 'server'>> & { migrated: Migration[] };

async function open(
  databaseUrl: string,
  now: () => number,
  options: OpenOptions,
  migrating: { mayMigrate: boolean },
): Promise<Opening | Unmigrated> {
  if (isPostgres(databaseUrl)) {
    const { openPostgresStore } = await import('./open-postgres-store.ts');
    return openPostgresStore(databaseUrl, now, options, migrating);
  }
  const path = databasePath(databaseUrl);
  if (!migrating.mayMigrate && !hasContent(path)) return { pending: [], isEmpty: true };
  const { openSqliteStore } = await import('./open-sqlite-store.ts');
  return openSqliteStore(path, now, options, migrating);
}

/** Brings the schema up to date. Throws: StoreRefused, with the database's address and advice. */
export async function openStore(
  databaseUrl: string,
  now: () => number,
  given: Partial<OpenOptions> = {},
): Promise<OpenedStore> {
  const options = { ...DEFAULT_OPTIONS, ...given };
  const { mustBeMigrated = false } = given;
  const { store, migrated, file, server } = await orExplain(databaseUrl, async () => {
    if (isEmbedded(databaseUrl) && mustBeMigrated) refuseMissing(databasePath(databaseUrl), FIND_DATABASE);
    const opened = await open(databaseUrl, now, options, { mayMigrate: !mustBeMigrated });
    return 'store' in opened ? opened : refuseUnmigrated(opened);
  });
  return { store, migrated: migrated.map(migrationName), isNew: migrated[0]?.version === 1, file, server };
}

type StoreOrPending =
  | { store: Store }
  | (Omit<Unmigrated, 'pending'> & { pending: string[]; statements: string[] });

/** Creates and migrates nothing. Throws: StoreRefused. */
export async function openStoreWithoutMigrating(
  databaseUrl: string,
  now: () => number,
  given: Partial<OpenOptions> = {},
): Promise<StoreOrPending> {
  const options = { ...DEFAULT_OPTIONS, ...given };
  const opened = await orExplain(databaseUrl, () => open(databaseUrl, now, options, { mayMigrate: false }));
  if ('store' in opened) return opened;
  const statements = opened.pending.map(({ sql }) => sql);
  return { ...opened, pending: opened.pending.map(migrationName), statements };
}

export type ReaderOrPending<Reader> = { reader: Reader } | { pending: string[]; isEmpty: boolean };

type Opened<Reader> = { reader: Reader } | Unmigrated;

async function openReader<Reader>(
  databaseUrl: string,
  openPostgres: (url: string) => Promise<Opened<Reader>>,
  openSqlite: (path: string) => Promise<Opened<Reader>>,
  advice: string,
): Promise<ReaderOrPending<Reader>> {
  const opened = await orExplain(databaseUrl, async () => {
    if (isPostgres(databaseUrl)) return openPostgres(databaseUrl);
    const path = databasePath(databaseUrl);
    refuseMissing(path, advice);
    return hasContent(path) ? openSqlite(path) : { pending: [], isEmpty: true };
  });
  return 'reader' in opened ? opened : { ...opened, pending: opened.pending.map(migrationName) };
}

export const openVerifyReader = (databaseUrl: string): Promise<ReaderOrPending<VerifyReader>> =>
  openReader<VerifyReader>(
    databaseUrl,
    async (url) => (await import('../operate/postgres/open-verify-reader.ts')).openPostgresVerifyReader(url),
    async (path) => (await import('../operate/sqlite/open-verify-reader.ts')).openSqliteVerifyReader(path),
    FIND_DATABASE,
  );

export const openCopyReader = (databaseUrl: string): Promise<ReaderOrPending<CopyReader>> =>
  openReader<CopyReader>(
    databaseUrl,
    async (url) => (await import('../operate/copy/postgres/open-copy.ts')).openPostgresCopyReader(url),
    async (path) => (await import('../operate/copy/sqlite/open-copy.ts')).openSqliteCopyReader(path),
    'Correct the address: its path is relative to the working directory.',
  );

/** Copies the file as it is at one moment, even during writes. `pending`: migrations that the copy needs. */
export async function backUpDatabase(
  databaseUrl: string,
  copyPath: string,
  onProgress: (share: number) => void,
): Promise<{ pending: string[] }> {
  const pending = await orExplain(databaseUrl, async () => {
    const path = databasePath(databaseUrl);
    refuseMissing(path, FIND_DATABASE);
    if (!hasContent(path)) throw new StoreRefused(`it is empty. ${FIND_DATABASE}`);
    const { backUpSqlite, pendingOfCopy } = await import('../operate/backup/sqlite/back-up.ts');
    await backUpSqlite(path, copyPath, onProgress);
    return pendingOfCopy(copyPath);
  });
  return { pending: pending.map(migrationName) };
}

const opener =
  <Opened>(openPostgres: (url: string) => Promise<Opened>, openSqlite: (path: string) => Promise<Opened>) =>
  (databaseUrl: string): Promise<Opened> =>
    orExplain(databaseUrl, () =>
      isPostgres(databaseUrl) ? openPostgres(databaseUrl) : openSqlite(databasePath(databaseUrl)),
    );

export const openCopyTarget = opener<CopyTarget>(
  async (url) => (await import('../operate/copy/postgres/open-copy.ts')).openPostgresCopyTarget(url),
  async (path) => (await import('../operate/copy/sqlite/open-copy.ts')).openSqliteCopyTarget(path),
);

const openWriter = (verb: 'Archive' | 'Erase') =>
  opener<Writer>(
    async (url) => (await import('../operate/writer/postgres/writer.ts')).openPostgresWriter(url, verb),
    async (path) => (await import('../operate/writer/sqlite/writer.ts')).openSqliteWriter(path),
  );

export const openAccountEraser = async (databaseUrl: string): Promise<AccountEraser> =>
  accountEraser(await openWriter('Erase')(databaseUrl));

export const openAccountArchiver = async (databaseUrl: string): Promise<AccountArchiver> =>
  accountArchiver(await openWriter('Archive')(databaseUrl));

function refuseMissing(path: string, advice: string): void {
  if (path !== IN_MEMORY && fileSize(path) === undefined)
    throw new StoreRefused(`there is no file ${resolve(path)}. ${advice}`);
}

const hasContent = (path: string) => (fileSize(path) ?? 0) > 0;

/** Returns Infinity if the size can't be read. The caller then opens the file, and gets the reason. */
function fileSize(path: string): number | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch {
    return Infinity;
  }
  if (found?.isFile() === false) throw new StoreRefused('it is not a file.');
  return found?.size;
}

export async function grantRole(databaseUrl: string, role: string): Promise<void> {
  await orExplain(databaseUrl, async () => {
    if (!isPostgres(databaseUrl)) throw new StoreRefused('SQLite has no roles. Leave --grant-to out.');
    const { grantPostgresService } = await import('./open-postgres-store.ts');
    await grantPostgresService(databaseUrl, role);
  });
}

export async function readReplication(databaseUrl: string): Promise<ReplicationFacts> {
  const postgres = await import('../operate/doctor/postgres/read-database.ts');
  return postgres.readReplicationFacts(databaseUrl);
}

async function orExplain<Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    throw new StoreRefused(`The database ${describeDatabase(databaseUrl)} can't be used: ${error.message}`, {
      cause: error,
    });
  }
}
