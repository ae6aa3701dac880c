import type { DatabaseSync } from 'node:sqlite';
import { isDuplicate, MOVED } from '../../../db/sqlite/errors.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import { inTransaction } from '../../../db/sqlite/write-lock.ts';
import { statementsOf } from '../../../db/statement.ts';
import { nonceReader } from '../../../ledger/changes/sqlite/list-changes.ts';
import { headReader } from '../../../ledger/record/sqlite/record-transactions.ts';
import { sumAdder } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import { type StoredValues, storedRowOf, storedValuesOf } from '../../stored-rows.ts';
import { show } from '../../verify/disagreement.ts';
import type { StoredRow } from '../../verify/stored.ts';
import { type CopyMark, FENCED_TABLES } from '../copy-mark.ts';
import type { CopyStatement } from '../copy-target.ts';
import { readMark } from './read-mark.ts';

/** A ChangePart as sent to the thread: rows of one array each are cloned in half the time of objects. */
export interface SentChunk {
  account: string;
  after: number;
  upTo: number;
  afterNonce: number | undefined;
  rows: readonly StoredValues[];
}

/** The writes of CopyTarget, each in its own transaction of the database. */
export interface CopyWriter {
  mark(mark: CopyMark): void;
  /** Returns what refuses the chunks; null if they were written. */
  writeChanges(chunks: readonly SentChunk[]): string | null;
  run(statements: readonly CopyStatement[]): void;
  unmark(): void;
}

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

export function copyWriter(db: DatabaseSync): CopyWriter {
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
    mark: ({ state, other, sinceMs }) => {
      // On the disk: a service that was refused stays refused after a power failure.
      db.exec('PRAGMA synchronous = FULL');
      inTransaction(db, () => {
        // A mark has the triggers of the version that made it.
        db.exec(REMOVE_FENCE);
        db.exec(FENCE);
        storeMark.run(state, other, sinceMs);
      });
      db.exec('PRAGMA synchronous = NORMAL');
    },
    writeChanges: (chunks) => {
      try {
        inCopy(() => {
          for (const chunk of chunks) writeChunk(chunk);
        });
        return null;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return error.message;
      }
    },
    run: (statements) =>
      inCopy(() => {
        for (const { text, values } of statements) db.prepare(text.replaceAll('$', '?')).run(...values);
      }),
    unmark: () => {
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

/** The rows of the target contradict a chunk. */
class Refused extends Error {}

function chunkWriter(db: DatabaseSync): (chunk: SentChunk) => void {
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

  return ({ account, after, upTo, afterNonce, rows: sent }) => {
    const rows = sent.map(storedRowOf);
    const head = readHead(account);
    if (afterNonce !== undefined && nonceOf(account, after) !== afterNonce)
      throw new Refused(`it has another change ${after} of ${show(account)}`);
    if (head !== after) throw new Refused(`the head sequence of ${show(account)} is ${head}, not ${after}`);
    for (const row of rows)
      if (!isWritten(account, row, after))
        throw new Refused(`it has another transaction ${show(row.reference)} of ${show(account)}`);
    storeHead.run(account, upTo);
    addSums(account, sumsOfChanges(rows, after));
  };
}
