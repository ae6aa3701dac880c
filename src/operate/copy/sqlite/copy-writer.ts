import type { DatabaseSync } from 'node:sqlite';
import { isDuplicate, MOVED } from '../../../db/sqlite/errors.ts';
import { inTransaction } from '../../../db/sqlite/write-lock.ts';
import { nonceReader } from '../../../ledger/changes/sqlite/list-changes.ts';
import { headReader } from '../../../ledger/record/sqlite/sequence-numbers.ts';
import { sumAdder } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import {
  FIXED,
  SET_LATER,
  STORED_COLUMN_LIST,
  STORED_COLUMNS,
  type StoredValues,
  storedRowOf,
} from '../../stored-rows.ts';
import { show } from '../../verify/disagreement.ts';
import { type CopyMark, FENCED_TABLES } from '../copy-mark.ts';
import type { CopyStatement } from '../copy-target.ts';
import { readMark } from './read-mark.ts';

/** A ChangePart as it is sent to the thread: rows of one array each are cloned in half the time of objects. */
export interface SentPart {
  account: string;
  after: number;
  upTo: number;
  afterNonce: number | undefined;
  rows: readonly StoredValues[];
}

/** The writes of CopyTarget, each in its own transaction of the database. */
export interface CopyWriter {
  mark(mark: CopyMark): void;
  /** Returns what refuses the parts; null if they were written. */
  writeChanges(parts: readonly SentPart[]): string | null;
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
  const writePart = partWriter(db);
  const storeMark = db.prepare(
    'INSERT OR REPLACE INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, ?, ?, ?)',
  );
  const removeMark = db.prepare('DELETE FROM copy_state');

  /** Writes to the target, which has no mark for this transaction of the database alone: others see it all the time. */
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
    writeChanges: (parts) => {
      try {
        inCopy(() => {
          for (const part of parts) writePart(part);
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

const REFERENCE_AT = STORED_COLUMNS.indexOf('reference');
const PENDING_SEQUENCE_AT = STORED_COLUMNS.indexOf('pending_sequence');

/** The account is ?1, and the values of STORED_COLUMNS follow. */
const parameterOf = (column: string) => `?${STORED_COLUMNS.indexOf(column) + 2}`;
const COMPLETED = SET_LATER.map(({ column }) => `${column} = ${parameterOf(column)}`);
const SAME_PENDING = FIXED.map(({ column }) => `${column} IS ${parameterOf(column)}`);

/** What the target has refuses a part. */
class Refused extends Error {}

/** Writes a part. Throws: Refused. */
function partWriter(db: DatabaseSync): (part: SentPart) => void {
  const readHead = headReader(db);
  const nonceOf = nonceReader(db);
  const storeHead = db.prepare(
    'INSERT INTO accounts (account, head_sequence) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET head_sequence = ?2',
  );
  const insert = db.prepare(
    `INSERT INTO transactions (account, ${STORED_COLUMN_LIST}) VALUES (?, ${STORED_COLUMNS.map(() => '?').join(', ')})`,
  );
  const complete = db.prepare(
    `UPDATE transactions SET ${COMPLETED.join(', ')}
     WHERE account = ?1 AND ${SAME_PENDING.join(' AND ')} AND status = 'pending'`,
  );
  const addSums = sumAdder(db);
  const isWritten = (account: string, values: StoredValues, after: number): boolean => {
    const pendingSequence = values[PENDING_SEQUENCE_AT] as number | null;
    const isCompletion = wasPendingAt({ pendingSequence }, after);
    try {
      return (isCompletion ? complete : insert).run(account, ...values).changes === 1;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  };

  return ({ account, after, upTo, afterNonce, rows }) => {
    const head = readHead(account);
    if (afterNonce !== undefined && nonceOf(account, after) !== afterNonce)
      throw new Refused(`it has another change ${after} of ${show(account)}`);
    if (head !== after) throw new Refused(`the head sequence of ${show(account)} is ${head}, not ${after}`);
    for (const row of rows)
      if (!isWritten(account, row, after))
        throw new Refused(`it has another transaction ${show(row[REFERENCE_AT])} of ${show(account)}`);
    storeHead.run(account, upTo);
    addSums(account, sumsOfChanges(rows.map(storedRowOf), after));
  };
}
