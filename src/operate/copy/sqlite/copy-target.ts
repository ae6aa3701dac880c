import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MOVED } from '../../../db/sqlite/errors.ts';
import { openFileAt, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { inTransaction } from '../../../db/sqlite/sqlite-db.ts';
import { closeWithoutLog } from '../../../db/sqlite/write-ahead-log.ts';
import { whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import { type CopyMark, FENCED_TABLES, REMOVE_MARK, STORE_MARK } from '../../copy-mark.ts';
import { readMark } from '../../sqlite/read-mark.ts';
import type { CopyTarget } from '../copy-target.ts';
import { chunkWriter } from './chunk-writer.ts';

const storeMark = (db: DatabaseSync, { state, other, sinceMs }: CopyMark) =>
  db.prepare(STORE_MARK.replaceAll('$', '?')).run(state, other, sinceMs);

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

export function sqliteCopyTarget(db: DatabaseSync, path: string, release: () => void): CopyTarget {
  const writeChunk = chunkWriter(db);
  const file = openFileAt(path);

  const write = (work: () => void) =>
    whenLockIsFree(() => {
      refuseMovedFile(file);
      work();
      refuseMovedFile(file);
    });

  /**
   * While `copy_state` has a row (the mark), the triggers of FENCE refuse writes. So the mark is removed
   * before `work`, and stored again in the same transaction. Other programs never see the mark missing.
   */
  const writeUnmarked = (work: () => void) =>
    write(() =>
      inTransaction(db, () => {
        const mark = readMark(db);
        db.exec(REMOVE_MARK);
        work();
        if (mark !== undefined) storeMark(db, mark);
      }),
    );

  return {
    writesInFlight: 1,
    jsonRows: { from: () => 'json_each($1)', column: (name) => `value ->> '${name}'` },
    mark: (mark) =>
      write(() => {
        // The mark must be on disk, so that services are refused even after a power failure.
        db.exec('PRAGMA synchronous = FULL');
        inTransaction(db, () => {
          // Replaces the triggers of an earlier run, because another version may have created them.
          db.exec(REMOVE_FENCE);
          db.exec(FENCE);
          storeMark(db, mark);
        });
        db.exec('PRAGMA synchronous = NORMAL');
      }),
    writeChanges: async (chunks) => {
      // Lets the copy request its next rows before the write blocks this thread.
      await nextTurn();
      await writeUnmarked(() => chunks.forEach(writeChunk));
    },
    run: (statements) =>
      writeUnmarked(() => {
        for (const { text, values } of statements) db.prepare(text.replaceAll('$', '?')).run(...values);
      }),
    unmark: () =>
      write(() => {
        // The copy's commits may not be on disk yet. With FULL, this commit waits until all of them are.
        db.exec('PRAGMA synchronous = FULL');
        inTransaction(db, () => {
          db.exec(REMOVE_FENCE);
          db.exec(REMOVE_MARK);
        });
      }),
    close: async () => {
      closeWithoutLog(db);
      release();
    },
  };
}
