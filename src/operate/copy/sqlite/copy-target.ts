import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { existingFile, openFileAt, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { makeDurable, truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import type { CopyMark } from '../copy-mark.ts';
import type { ChangeChunk, CopyStatement, CopyTarget } from '../copy-target.ts';
import { copyWriter } from './copy-writer.ts';

/** Rows come by number, and each index has another order: many of its pages change again and again. */
const CACHE_KIB = 32_768;
/** 64 MiB of log: a page that changes in many transactions is written back once. */
const CHECKPOINT_PAGES = 16_384;

function openTarget(path: string): DatabaseSync {
  const db = new DatabaseSync(existingFile(path), { timeout: 0 });
  makeDurable(db);
  // A power failure can undo the last commits, in their order. The heads then say what is copied again.
  db.exec(
    `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA synchronous = NORMAL`,
  );
  return db;
}

export class SqliteCopyTarget implements CopyTarget {
  readonly writesInFlight = 1;
  readonly jsonRows = {
    from: () => 'json_each($1)',
    column: (name: string) => `value ->> '${name}'`,
  };
  readonly #db: DatabaseSync;
  readonly #writer: ReturnType<typeof copyWriter>;
  readonly #file: ReturnType<typeof openFileAt>;
  readonly #release: () => void;

  /** `release` releases the lock against a second copy. */
  constructor(path: string, release: () => void) {
    this.#db = openTarget(path);
    this.#writer = copyWriter(this.#db);
    this.#file = openFileAt(path);
    this.#release = release;
  }

  mark(mark: CopyMark): Promise<void> {
    return this.#write(() => this.#writer.mark(mark));
  }

  async writeChanges(chunks: readonly ChangeChunk[]): Promise<void> {
    // The source is asked for the next rows before these are written.
    await nextTurn();
    await this.#write(() => this.#writer.writeChanges(chunks));
  }

  run(statements: readonly CopyStatement[]): Promise<void> {
    return this.#write(() => this.#writer.run(statements));
  }

  unmark(): Promise<void> {
    return this.#write(() => this.#writer.unmark());
  }

  async close(): Promise<void> {
    try {
      truncateLog(this.#db);
    } catch {
      // The next program that opens the file checkpoints it.
    }
    this.#db.close();
    this.#release();
  }

  #write(work: () => void): Promise<void> {
    return whenLockIsFree(() => {
      refuseMovedFile(this.#file);
      work();
      refuseMovedFile(this.#file);
    });
  }
}
