import type { DatabaseSync } from 'node:sqlite';
import { isDuplicate, MOVED } from '../../../db/sqlite/errors.ts';
import { inTransaction } from '../../../db/sqlite/write-lock.ts';
import { statusNoter } from '../../../ledger/record/sqlite/recorded-statuses.ts';
import { REMOVE_DETAILS } from '../../../ledger/record/sqlite/remove-details.ts';
import { headReader } from '../../../ledger/record/sqlite/sequence-numbers.ts';
import { sumAdder } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import type { CopiedTable } from '../../../values/tables.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import {
  FIXED,
  recordColumns,
  SET_LATER,
  STORED_COLUMN_LIST,
  STORED_COLUMNS,
  type StoredValues,
  sameDetailsSql,
  storedRowOf,
} from '../../stored-rows.ts';
import { show } from '../../verify/check-row.ts';
import type { StoredRecord } from '../../verify/verify-reader.ts';
import { type CopyMark, FENCED_TABLES } from '../copy-mark.ts';
import { type CopyTarget, removalsOf } from '../copy-target.ts';
import { readMark } from './read-mark.ts';

/** A ChangePart as it is sent to the thread: rows of one array each are cloned in half the time of objects. */
export interface SentPart {
  account: string;
  after: number;
  upTo: number;
  rows: readonly StoredValues[];
}

/** The writes of CopyTarget, each in its own transaction of the database. */
export interface CopyWriter {
  mark(mark: CopyMark): void;
  /** Returns what refuses the parts; null if they were written. */
  writeChanges(parts: readonly SentPart[]): string | null;
  writeRecords(...values: Parameters<CopyTarget['writeRecords']>): void;
  deleteRecords(...values: Parameters<CopyTarget['deleteRecords']>): void;
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
  const store = recordWriter(db);
  const removeDetails = db.prepare(REMOVE_DETAILS);
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
    writeRecords: (table, records) =>
      inCopy(() => {
        for (const record of records) store(table, record);
        for (const removal of removalsOf(table, records)) removeDetails.run(...removal);
      }),
    deleteRecords: (table, keys) => {
      const conditions = recordColumns(table).key.map((column) => `${column} = ?`);
      const remove = db.prepare(`DELETE FROM ${table} WHERE ${conditions.join(' AND ')}`);
      inCopy(() => {
        for (const key of keys) remove.run(...key);
      });
    },
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

const STATUS_AT = STORED_COLUMNS.indexOf('status');
const REFERENCE_AT = STORED_COLUMNS.indexOf('reference');
const PENDING_SEQUENCE_AT = STORED_COLUMNS.indexOf('pending_sequence');
const storedStatusOf = (values: StoredValues) => values[STATUS_AT] as string | null;

/** The account is ?1, and the values of STORED_COLUMNS follow. */
const parameterOf = (column: string) => `?${STORED_COLUMNS.indexOf(column) + 2}`;
const COMPLETED = SET_LATER.map(({ column }) => `${column} = ${parameterOf(column)}`);
const SAME_PENDING = [
  ...FIXED.map(({ column }) => `${column} IS ${parameterOf(column)}`),
  sameDetailsSql(parameterOf, (column) => column, 'IS'),
];

/** What the target has refuses a part. */
class Refused extends Error {}

/** Writes a part. Throws: Refused. */
function partWriter(db: DatabaseSync): (part: SentPart) => void {
  const readHead = headReader(db);
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
  const noteStatuses = statusNoter(db);
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

  return ({ account, after, upTo, rows }) => {
    const head = readHead(account);
    if (head !== after) throw new Refused(`the head sequence of ${show(account)} is ${head}, not ${after}`);
    noteStatuses(rows.map(storedStatusOf));
    for (const row of rows)
      if (!isWritten(account, row, after))
        throw new Refused(`it has another transaction ${show(row[REFERENCE_AT])} of ${show(account)}`);
    storeHead.run(account, upTo);
    addSums(account, sumsOfChanges(rows.map(storedRowOf), after));
  };
}

/** Inserts records, or replaces those with the same key. */
function recordWriter(db: DatabaseSync): (table: CopiedTable, record: StoredRecord) => void {
  const statementOf = (table: CopiedTable) => {
    const { key, columns } = recordColumns(table);
    const replaced = columns.filter((column) => !key.includes(column));
    return db.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    );
  };
  const statements = new Map<CopiedTable, ReturnType<typeof statementOf>>();

  return (table, record) => {
    let statement = statements.get(table);
    if (statement === undefined) {
      statement = statementOf(table);
      statements.set(table, statement);
    }
    statement.run(...recordColumns(table).columns.map((column) => record[column] ?? null));
  };
}
