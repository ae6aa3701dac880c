import { CommandFailed, UsageError } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { readEnvFile } from '../../values/terminal/env-file.ts';
import { printNote } from '../../values/terminal/output.ts';
import { onStopSignal, type StopReason } from '../../values/terminal/stop-signals.ts';
import { readConfig } from '../config/read-config.ts';
import { type Config, SETTINGS } from '../config/settings.ts';
import { reportIfSlow } from '../service/report-if-slow.ts';
import {
  describeFromEverywhere,
  type OpenedStore,
  type OpenOptions,
  openStore,
  openStoreWithoutMigrating,
  type ReaderOrPending,
} from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

interface LoadOptions {
  warn?: (warning: string) => void;
  defaults?: Readonly<Record<string, string>>;
}

export function loadConfig({ warn = printNote, defaults = {} }: LoadOptions = {}): Config {
  const { variables, faults } = readEnvFile(
    Object.values(SETTINGS).map(({ name }) => name),
    { isOurs: true },
  );
  const read = readConfig(process.env, { ...defaults, ...variables });
  if ('faults' in read) faults.push(...read.faults);
  if ('faults' in read || faults.length > 0)
    throw new UsageError('The settings are wrong:', ...faults.map((fault) => `  ${fault}`));
  for (const warning of read.warnings) warn(warning);
  return read.config;
}

export function withStore<Result>(
  settings: Config,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return withNewStore(settings, ({ store }) => work(store), { mustBeMigrated: true, writesRarely: true });
}

export async function withNewStore<Result>(
  settings: Config,
  work: (opened: OpenedStore) => Promise<Result>,
  options: Partial<OpenOptions> = {},
): Promise<Result> {
  const opened = await openStore(settings.databaseUrl, Date.now, optionsOf(settings, options));
  try {
    return await work(opened);
  } finally {
    await opened.store.close();
  }
}

export const printDatabase = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) =>
  printNote(`Database: ${describeFromEverywhere(databaseUrl)}`);

export const WRITE_TIME_LIMIT_MS = 60_000;

export function withStoreForLongWork<Result>(
  settings: Config,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return withStore({ ...settings, requestTimeoutMs: WRITE_TIME_LIMIT_MS }, (store) => {
    printDatabase(settings);
    return work(store);
  });
}

export async function withAdvice<Result>(
  advice: string,
  work: () => Promise<Result>,
  onStop = () => {},
): Promise<Result> {
  const stop = (reason: StopReason) => {
    onStop();
    printNote(`Stopped by ${reason}. ${advice}`);
    process.exit(1);
  };
  const forget = onStopSignal(stop, { again: 'ends the process' });
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new CommandFailed(`The command failed: ${sentence(error.message)} ${advice}`);
  } finally {
    forget();
  }
}

export const withStoreForWriting = <Result>(
  settings: Config,
  work: (store: Store) => Promise<Result>,
): Promise<Result> => reportIfSlow(withStoreForLongWork(settings, work), printWaiting);

function printWaiting(): void {
  printNote(
    `Waiting for the database for up to ${WRITE_TIME_LIMIT_MS / 1000} s: another program is writing to it, or it is slow.`,
  );
}

export async function openMigrated(settings: Config): Promise<Store> {
  const opened = await openStore(settings.databaseUrl, Date.now, optionsOf(settings, { records: true }));
  noteMigrations(opened);
  return opened.store;
}

/** Names the migrations, because an older program can't start on the migrated database. */
export function noteMigrations({ migrated, isNew }: Pick<OpenedStore, 'migrated' | 'isNew'>): void {
  if (!isNew) for (const name of migrated) printNote(`Applied migration ${name}.`);
}

export const openUnmigrated = (settings: Config) =>
  openStoreWithoutMigrating(settings.databaseUrl, Date.now, optionsOf(settings, {}));

const optionsOf = (settings: Config, options: Partial<OpenOptions>): OpenOptions => ({
  timeoutMs: settings.requestTimeoutMs,
  connections: settings.databaseConnections,
  replicaUrls: settings.databaseReplicaUrls,
  maxReplicaLagMs: settings.databaseReplicaMaxLagMs,
  onWaiting: printWaiting,
  ...options,
});

export function readerOf<Reader>(
  opened: ReaderOrPending<Reader>,
  purpose: 'archive' | 'copy' | 'reopen' | 'verify',
  database: 'database' | 'source' | 'target' = 'database',
): Reader {
  if ('reader' in opened) return opened.reader;
  throw new CommandFailed(
    opened.isEmpty
      ? `There is nothing to ${purpose}: the ${database} is empty.`
      : `The ${database} needs the migrations ${opened.pending.join(', ')}. Run "transactions migrate" on it first.`,
  );
}
