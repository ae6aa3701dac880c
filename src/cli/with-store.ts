import type { Config } from '../config/settings.ts';
import { reportIfSlow } from '../service/report-if-slow.ts';
import {
  describeFromEverywhere,
  type OpenedStore,
  type OpenOptions,
  openStore,
} from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { CommandFailed } from '../values/failure.ts';
import { StoreRefused } from '../values/store-errors.ts';
import { printNote } from './terminal/output.ts';

export type StoreSettings = Pick<
  Config,
  | 'databaseUrl'
  | 'databaseConnections'
  | 'databaseReplicaUrls'
  | 'databaseReplicaMaxLagMs'
  | 'requestTimeoutMs'
>;

type StoreOptions = Pick<
  OpenOptions,
  'records' | 'onReplicaChange' | 'onFileChange' | 'mustExist' | 'mustBeFile' | 'writesRarely'
>;

/**
 * Opens the store of a database that exists, runs `work` with it, and closes it.
 *
 * Throws: CommandFailed if the database can't be used.
 */
export function withStore<Result>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return withNewStore(settings, ({ store }) => work(store), { mustExist: true, writesRarely: true });
}

/** Like withStore, for the few commands that also create a database. */
export async function withNewStore<Result>(
  settings: StoreSettings,
  work: (opened: OpenedStore) => Promise<Result>,
  options: StoreOptions = {},
): Promise<Result> {
  const opened = await openOrExplain(openStore, settings, options);
  try {
    return await work(opened);
  } finally {
    await opened.store.close();
  }
}

/** Prints which database a command changes: without DATABASE_URL it may be another one than the user thinks of. */
export const printDatabase = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) =>
  printNote(`Database: ${describeFromEverywhere(databaseUrl)}`);

/** A command that writes waits so long for other writers. */
export const WRITE_TIME_LIMIT_MS = 60_000;

/** Like withStore, for a command that writes: it prints which database it changes, and waits up to a minute for other writers. */
export function withStoreForLongWork<Result>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return withStore({ ...settings, requestTimeoutMs: WRITE_TIME_LIMIT_MS }, (store) => {
    printDatabase(settings);
    return work(store);
  });
}

/** The same, for a command that shows no progress: it prints that it waits. */
export const withStoreForWriting = <Result>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Result>,
): Promise<Result> => reportIfSlow(withStoreForLongWork(settings, work), printWaiting);

function printWaiting(): void {
  printNote(
    `Waiting for the database for up to ${WRITE_TIME_LIMIT_MS / 1000} s: another program is writing to it, or it is slow.`,
  );
}

/**
 * Opens the store for recording, and migrates its schema if needed. The caller closes it.
 *
 * Throws: CommandFailed if the database can't be used.
 */
export async function openMigrated(settings: StoreSettings): Promise<Store> {
  return (await openOrExplain(openStore, settings, { records: true })).store;
}

/** Opens the database with a function of `open-store.ts`. Throws: CommandFailed if it can't be used. */
export async function openOrExplain<Opened>(
  open: (databaseUrl: string, now: () => number, options: OpenOptions) => Promise<Opened>,
  settings: StoreSettings,
  options: StoreOptions,
): Promise<Opened> {
  try {
    return await open(settings.databaseUrl, Date.now, {
      timeoutMs: settings.requestTimeoutMs,
      connections: settings.databaseConnections,
      replicaUrls: settings.databaseReplicaUrls,
      maxReplicaLagMs: settings.databaseReplicaMaxLagMs,
      onWaiting: printWaiting,
      ...options,
    });
  } catch (error) {
    return refuse(error);
  }
}

/** A database that can't be used fails the command. */
export const refuse = (error: unknown): never => {
  throw error instanceof StoreRefused ? new CommandFailed(error.message) : error;
};
