import { realpathSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreRefused, StoreUnavailable } from '../../../values/store-errors.ts';
import { asUnavailable } from './errors.ts';
import { IN_MEMORY } from './open-database.ts';

export interface OpenFile {
  path: string;
  files: readonly { path: string; identity: string | undefined }[];
}

/** SQLite never replaces a file of an open database. So only another program can change an identity. */
export function openFileAt(path: string): OpenFile {
  if (path === IN_MEMORY) return { path, files: [] };
  // If the path is a link, the log is in the folder of the link's target.
  const target = realpathSync(path);
  const paths = [path, `${target}-wal`, `${target}-shm`];
  return { path, files: paths.map((each) => ({ path: each, identity: identityOf(each) })) };
}

/**
 * Without this check, SQLite would still write to the old file after another program moved or replaced it.
 * Throws: StoreUnavailable if a path no longer leads to the file that was opened.
 */
export function refuseMovedFile({ files }: OpenFile): void {
  const moved = files.find(({ path, identity }) => identityOf(path) !== identity);
  if (moved === undefined) return;
  throw new StoreUnavailable(
    'file_moved',
    `the file ${moved.path} was moved, removed or replaced while the database was open, and nothing is written to it any more: put the same file back, or restart the service to use what is there now`,
  );
}

export function refuseOtherFile(path: string, identity: string): void {
  if (identityOf(path) === identity) return;
  throw new StoreRefused(
    'the file was moved, removed or replaced after the first process had opened it: put the same file back, or restart the service to use what is there now.',
  );
}

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  } catch {
    return undefined;
  }
}

/** Returns a clock that starts at the last write of the files, so it is never ahead of the true time. */
export function leastTime(path: string): () => number {
  const files = path === IN_MEMORY ? [] : [path, `${realpathSync(path)}-wal`];
  const writtenMs = Math.max(
    0,
    ...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
  const startedMs = performance.now();
  return () => writtenMs + performance.now() - startedMs;
}

/** With the returned URL, SQLite opens an existing file, and never creates a file. */
export function existingFile(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return url;
}

export type Read = WatchedFile['read'];

const CHECK_EVERY_MS = 250;

export class WatchedFile {
  readonly open: OpenFile;
  readonly #timer: NodeJS.Timeout;
  readonly #onChange: (moved: StoreUnavailable | undefined) => void;
  #moved: StoreUnavailable | undefined;

  constructor(path: string, onChange: (moved: StoreUnavailable | undefined) => void = () => {}) {
    this.open = openFileAt(path);
    this.#onChange = onChange;
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  get identity(): string | undefined {
    return this.open.files[0]?.identity;
  }

  /** Throws: StoreUnavailable if the read fails, or if a file was moved, removed or replaced. */
  readonly read = <Values extends unknown[], Result>(
    work: (...values: Values) => Result,
    ...values: Values
  ): Result => {
    if (this.#moved !== undefined) this.check();
    if (this.#moved !== undefined) throw this.#moved;
    try {
      return work(...values);
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  check(): void {
    const before = this.#moved;
    try {
      refuseMovedFile(this.open);
      this.#moved = undefined;
    } catch (error) {
      this.#moved = before ?? (error as StoreUnavailable);
    }
    if ((before === undefined) !== (this.#moved === undefined)) this.#onChange(this.#moved);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

export function inSnapshot(db: DatabaseSync): <Result>(work: () => Result) => Result {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');

  return (work) => {
    if (db.isTransaction) return work();
    begin.run();
    try {
      return work();
    } finally {
      // SQLite may have ended the transaction itself after an error.
      if (db.isTransaction) commit.run();
    }
  };
}

/**
 * Runs all reads that were requested in one turn of the event loop in one snapshot. The snapshot begins after
 * the last of these requests, so each read sees all writes that were acknowledged before its request.
 */
export function inSnapshotOfTurn(db: DatabaseSync): <Result>(read: () => Result) => Promise<Result> {
  const snapshot = inSnapshot(db);
  let waiting: (() => void)[] = [];

  const runAll = () => {
    const reads = waiting;
    waiting = [];
    const run = () => {
      for (const read of reads) read();
    };
    try {
      if (reads.length === 1) run();
      else snapshot(run);
    } catch {
      // The connection is closed. Now each read fails, and rejects its own promise.
      run();
    }
  };

  return <Result>(read: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(read());
        } catch (error) {
          reject(error);
        }
      });
      if (waiting.length === 1) setImmediate(runAll);
    });
}
