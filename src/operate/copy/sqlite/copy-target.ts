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

/** The triggers exist only while the database has a mark, so they cost other databases nothing. */
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
        // The triggers of an earlier mark can be those of another version of this program.
        this.#db.exec(REMOVE_FENCE);
        this.#db.exec(FENCE);
        storeMark(this.#db, mark);
      });
      this.#db.exec('PRAGMA synchronous = NORMAL');
    });
  }

  async writeChanges(chunks: readonly ChangeChunk[]): Promise<void> {
    // The copy can request its next rows before these rows are written.
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
      // The next program that opens the file does the checkpoint.
    }
    this.#db.close();
    this.#release();
  }

  /** Removes the mark only inside the transaction, so other programs always see the mark. */
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
