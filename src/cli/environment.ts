import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import { type Store, StoreRefused } from '../core/store.ts';
import { type OpenOptions, openStore, openStoreAsItIs, type StoreAsItIs } from '../store/open-store.ts';
import { CommandFailed, UsageError } from './failure.ts';
import { printNote } from './output.ts';

/** The settings in the .env file of the working directory, none where there is no such file. */
function settingsFile(): Record<string, string | undefined> {
  let file: string;
  try {
    file = readFileSync('.env', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandFailed(`The file .env can't be read: ${(error as Error).message}.`);
  }
  return parseEnv(file);
}

/**
 * The settings of this process. `warn` is called with each variable that was probably meant to be one.
 *
 * Throws: UsageError with every fault of them.
 */
export function loadConfig(warn: (warning: string) => void = printNote): Config {
  const read = readConfig(process.env, settingsFile());
  if ('faults' in read)
    throw new UsageError('The settings are wrong:', ...read.faults.map((fault) => `  ${fault}`));
  for (const warning of read.warnings) warn(warning);
  return read.config;
}

export type StoreSettings = Pick<
  Config,
  | 'databaseUrl'
  | 'databaseConnections'
  | 'databaseReplicaUrls'
  | 'databaseReplicaMaxLagMs'
  | 'requestTimeoutMs'
>;

export type StoreOptions = Pick<OpenOptions, 'records' | 'onReplicaChange'>;

/**
 * Opens a store for the time of one piece of work.
 *
 * Throws: CommandFailed with a sentence where the database can't be used.
 */
export async function withStore<Answer>(
  settings: StoreSettings,
  work: (store: Store, migrated: string[]) => Promise<Answer>,
  options: StoreOptions = {},
): Promise<Answer> {
  const { store, migrated } = await openOrExplain(openStore, settings, options);
  try {
    return await work(store, migrated);
  } finally {
    await store.close();
  }
}

const PATIENCE_MS = 60_000;
const NOTICEABLE_MS = 2000;

/** The same for a command that must get through: it waits for its turn for up to a minute, and says so. */
export function withPatientStore<Answer>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Answer>,
): Promise<Answer> {
  return noteWaiting(withStore({ ...settings, requestTimeoutMs: PATIENCE_MS }, work));
}

/** Prints a note where a piece of work on the database takes a noticeable time. */
export async function noteWaiting<Answer>(work: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(printWaiting, NOTICEABLE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

function printWaiting(): void {
  printNote(
    `Waiting for the database for up to ${PATIENCE_MS / 1000} s: another program writes to it, or it is slow.`,
  );
}

/**
 * Opens a store, migrated where that is needed. The caller closes it.
 *
 * Throws: CommandFailed with a sentence where the database can't be used.
 */
export async function openMigrated(settings: StoreSettings): Promise<Store> {
  return (await openOrExplain(openStore, settings, { records: true })).store;
}

/**
 * Opens a store where its schema is up to date, and changes nothing. The caller closes it.
 *
 * Throws: CommandFailed with a sentence where the database can't be used.
 */
export function openWithoutMigrating(settings: StoreSettings): Promise<StoreAsItIs> {
  return openOrExplain(openStoreAsItIs, settings, {});
}

async function openOrExplain<Opened>(
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
    if (error instanceof StoreRefused) throw new CommandFailed(error.message);
    throw error;
  }
}

const POOL_BYTES = 8192;
let pool = Buffer.alloc(0);

/** Unforeseeable bytes, drawn from the system in larger portions: a draw costs more than its bytes. */
export function secureRandomBytes(length: number): Uint8Array {
  if (pool.length < length) pool = randomBytes(Math.max(POOL_BYTES, length));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
}
