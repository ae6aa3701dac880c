import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDuplicate, MOVED } from '../../../db/sqlite/errors.ts';
import { openFileAt, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { inTransaction, prepared } from '../../../db/sqlite/sqlite-db.ts';
import { closeWithoutLog } from '../../../db/sqlite/write-ahead-log.ts';
import { whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import { statementsOf } from '../../../db/statement.ts';
import { READ_NONCE } from '../../../ledger/changes/changes.ts';
import { headReader, RECORDING } from '../../../ledger/record/sqlite/record-transactions.ts';
import { sumAdder } from '../../../ledger/sqlite/add-to-totals.ts';
import { type CopyMark, FENCED_TABLES, REMOVE_MARK, STORE_MARK } from '../../copy-mark.ts';
import { show } from '../../disagreement.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import { readMark } from '../../sqlite/read-mark.ts';
import { type StoredRow, storedValuesOf } from '../../stored-rows.ts';
import { refusedChanges } from '../copy-context.ts';
import type { ChangeChunk, CopyTarget } from '../copy-target.ts';

const COPY = statementsOf(new URL('../copy.sql', import.meta.url));

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
      // Gives the copy time to begin its next read before the write blocks this thread.
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

function chunkWriter(db: DatabaseSync): (chunk: ChangeChunk) => void {
  const readHead = headReader(db);
  const readNonce = prepared<[nonce: number | null]>(db, READ_NONCE);
  const storeHead = db.prepare(
    'INSERT INTO accounts (account, head_sequence) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET head_sequence = ?2',
  );
  const insert = prepared(db, RECORDING('insert')).statement;
  const complete = prepared(db, COPY('completeTransaction'));
  const addSums = sumAdder(db);
  const isWritten = (account: string, row: StoredRow, after: number): boolean => {
    try {
      return wasPendingAt(row, after)
        ? complete.run({ account, ...row }) === 1
        : insert.run(account, ...storedValuesOf(row)).changes === 1;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  };

  return ({ account, after, upTo, afterNonce, rows: given }) => {
    // Sorted like the table, so that consecutive rows go to the same pages.
    const rows = given.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    const head = readHead(account);
    if (afterNonce !== undefined && readNonce.get({ account, sequence: after })?.[0] !== afterNonce)
      throw refusedChanges(`it has another change ${after} of ${show(account)}`);
    if (head !== after)
      throw refusedChanges(`the head sequence of ${show(account)} is ${head}, not ${after}`);
    for (const row of rows)
      if (!isWritten(account, row, after))
        throw refusedChanges(`it has another transaction ${show(row.reference)} of ${show(account)}`);
    storeHead.run(account, upTo);
    addSums(account, sumsOfChanges(rows, after));
  };
}
