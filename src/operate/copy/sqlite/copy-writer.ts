import type { DatabaseSync } from 'node:sqlite';
import { isDuplicate, MOVED } from '../../../db/sqlite/errors.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import { inTransaction } from '../../../db/sqlite/write-lock.ts';
import { statementsOf } from '../../../db/statement.ts';
import { nonceReader } from '../../../ledger/changes/sqlite/list-changes.ts';
import { headReader } from '../../../ledger/record/sqlite/record-transactions.ts';
import { sumAdder } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import { storedValuesOf } from '../../stored-rows.ts';
import { show } from '../../verify/disagreement.ts';
import type { StoredRow } from '../../verify/stored.ts';
import { refusedChanges } from '../copy-context.ts';
import { type CopyMark, FENCED_TABLES } from '../copy-mark.ts';
import type { ChangeChunk, CopyStatement } from '../copy-target.ts';
import { readMark } from './read-mark.ts';

/** Triggers that exist only while the database has a mark: recording costs nothing more before. */
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

/** The writes of a copy, each in its own transaction of the database. */
export function copyWriter(db: DatabaseSync) {
  const writeChunk = chunkWriter(db);
  const storeMark = db.prepare(
    'INSERT OR REPLACE INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, ?, ?, ?)',
  );
  const removeMark = db.prepare('DELETE FROM copy_state');

  /** Writes to the target, which has no mark for this database transaction alone: others always see it. */
  const inCopy = (work: () => void): void =>
    inTransaction(db, () => {
      const mark = readMark(db);
      removeMark.run();
      work();
      if (mark !== undefined) storeMark.run(mark.state, mark.other, mark.sinceMs);
    });

  return {
    mark({ state, other, sinceMs }: CopyMark): void {
      // On the disk: a service that was refused stays refused after a power failure.
      db.exec('PRAGMA synchronous = FULL');
      inTransaction(db, () => {
        // The triggers of an earlier mark can be of another version.
        db.exec(REMOVE_FENCE);
        db.exec(FENCE);
        storeMark.run(state, other, sinceMs);
      });
      db.exec('PRAGMA synchronous = NORMAL');
    },
    /** Throws: CopyFailed if the rows of the target contradict a chunk. */
    writeChanges(chunks: readonly ChangeChunk[]): void {
      inCopy(() => {
        for (const chunk of chunks) writeChunk(chunk);
      });
    },
    run(statements: readonly CopyStatement[]): void {
      inCopy(() => {
        for (const { text, values } of statements) db.prepare(text.replaceAll('$', '?')).run(...values);
      });
    },
    unmark(): void {
      // All commits before this one are on the disk with it.
      db.exec('PRAGMA synchronous = FULL');
      inTransaction(db, () => {
        db.exec(REMOVE_FENCE);
        removeMark.run();
      });
    },
  };
}

const COPY = statementsOf(new URL('../copy.sql', import.meta.url));

function chunkWriter(db: DatabaseSync): (chunk: ChangeChunk) => void {
  const readHead = headReader(db);
  const nonceOf = nonceReader(db);
  const storeHead = db.prepare(
    'INSERT INTO accounts (account, head_sequence) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET head_sequence = ?2',
  );
  const insert = prepared(db, COPY('insertTransaction')).statement;
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
    // Near the rows that were written before them in the table, which is in this order.
    const rows = given.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    const head = readHead(account);
    if (afterNonce !== undefined && nonceOf(account, after) !== afterNonce)
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
