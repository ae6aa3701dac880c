import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MOVED } from '../../../db/sqlite/errors.ts';
import { openFileAt, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { inTransaction, whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import { type CopyMark, FENCED_TABLES, REMOVE_MARK, STORE_MARK } from '../../copy-mark.ts';
import { readMark } from '../../sqlite/read-mark.ts';
import type { ChangeChunk, CopyStatement, CopyTarget } from '../copy-target.ts';
import { chunkWriter } from './chunk-writer.ts';

const storeMark = (db: DatabaseSync, { state, other, sinceMs }: CopyMark) =>
  db.prepare(STORE_MARK.replaceAll('$', '?')).run(state, other, sinceMs);

/** Triggers that exist only while the database has a mark, so that recordings without one cost no more. */
const FENCES = FENCED_TABLES.flatMap((table) =>
  ['INSERT', 'UPDATE', 'DELETE'].map((write) => ({
    table,
    write,
    name: `moved_${table}_${write.toLowerCase()}`,
  })),
);
const FENCE = FENCES.map(
  ({ table, write, name }) =>
    `CREATE TRIGGER ${name} BEFORE ${write} ON ${table} WHEN EXISTS (SELECT 1 FROM copy_state) BEGIN SELECT RAISE(ABORT, '${MOVED}'); END;`,
).join('\n');
const REMOVE_FENCE = FENCES.map(({ name }) => `DROP TRIGGER IF EXISTS ${name};`).join('\n');

export class SqliteCopyTarget implements CopyTarget {
  readonly writesInFlight = 1;
  readonly jsonRows = {
    from: () => 'json_each($1)',
    column: (name: string) => `value ->> '${name}'`,
  };
  readonly #db: DatabaseSync;
  readonly #writeChunk: ReturnType<typeof chunkWriter>;
  readonly #file: ReturnType<typeof openFileAt>;
  readonly #release: () => void;

  constructor(db: DatabaseSync, path: string, release: () => void) {
    this.#db = db;
    this.#writeChunk = chunkWriter(db);
    this.#file = openFileAt(path);
    this.#release = release;
  }

  mark(mark: CopyMark): Promise<void> {
    return this.#write(() => {
      // The mark must be on disk, so that a refused service stays refused after a power failure.
      this.#db.exec('PRAGMA synchronous = FULL');
      inTransaction(this.#db, () => {
        // An earlier mark's triggers can be those of another version of the program.
        this.#db.exec(REMOVE_FENCE);
        this.#db.exec(FENCE);
        storeMark(this.#db, mark);
      });
      this.#db.exec('PRAGMA synchronous = NORMAL');
    });
  }

  async writeChanges(chunks: readonly ChangeChunk[]): Promise<void> {
    // Lets the copy request the next rows of the source before these are written.
    await nextTurn();
    await this.#writeUnmarked(() => {
      for (const chunk of chunks) this.#writeChunk(chunk);
    });
  }

  run(statements: readonly CopyStatement[]): Promise<void> {
    return this.#writeUnmarked(() => {
      for (const { text, values } of statements) this.#db.prepare(text.replaceAll('$', '?')).run(...values);
    });
  }

  unmark(): Promise<void> {
    return this.#write(() => {
      // This commit also writes all earlier commits to the disk.
      this.#db.exec('PRAGMA synchronous = FULL');
      inTransaction(this.#db, () => {
        this.#db.exec(REMOVE_FENCE);
        this.#db.exec(REMOVE_MARK);
      });
    });
  }

  async close(): Promise<void> {
    try {
      truncateLog(this.#db);
    } catch {
      // A failed checkpoint is ignored: the next program that opens the file does it.
    }
    this.#db.close();
    this.#release();
  }

  /** Writes to the target. Removes its mark for this transaction alone, so others always see the mark. */
  #writeUnmarked(work: () => void): Promise<void> {
    return this.#write(() =>
      inTransaction(this.#db, () => {
        const mark = readMark(this.#db);
        this.#db.exec(REMOVE_MARK);
        work();
        if (mark !== undefined) storeMark(this.#db, mark);
      }),
    );
  }

  #write(work: () => void): Promise<void> {
    return whenLockIsFree(() => {
      refuseMovedFile(this.#file);
      work();
      refuseMovedFile(this.#file);
    });
  }
}
