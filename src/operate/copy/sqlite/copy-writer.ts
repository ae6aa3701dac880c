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
import type { StoredRecord, StoredRow } from '../../verify/verify-reader.ts';
import { type CopyMark, FENCED_TABLES } from '../copy-mark.ts';
import type { ChangeConflict, CopyTarget } from '../copy-target.ts';

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
  writeChanges(parts: readonly SentPart[]): ChangeConflict[];
  writeRecords(...values: Parameters<CopyTarget['writeRecords']>): void;
  deleteRecords(...values: Parameters<CopyTarget['deleteRecords']>): void;
  removeDetails(...values: Parameters<CopyTarget['removeDetails']>): void;
  unmark(): void;
}

/** Triggers that exist only while the database is marked as moved: recording costs nothing more before. */
const FENCES = FENCED_TABLES.flatMap((table) =>
  ['INSERT', 'UPDATE', 'DELETE'].map((write) => ({
    table,
    write,
    name: `moved_${table}_${write.toLowerCase()}`,
  })),
);
const FENCE = FENCES.map(
  ({ table, write, name }) =>
    `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE ${write} ON ${table} BEGIN SELECT RAISE(ABORT, '${MOVED}'); END;`,
).join('\n');
const REMOVE_FENCE = FENCES.map(({ name }) => `DROP TRIGGER IF EXISTS ${name};`).join('\n');

export function copyWriter(db: DatabaseSync): CopyWriter {
  const writePart = partWriter(db);
  const store = recordWriter(db);

  return {
    mark: ({ state, other, sinceMs }) => {
      // On the disk: a service that was refused stays refused after a power failure.
      db.exec('PRAGMA synchronous = FULL');
      inTransaction(db, () => {
        db.exec(state === 'moved' ? FENCE : REMOVE_FENCE);
        db.prepare(
          'INSERT OR REPLACE INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, ?, ?, ?)',
        ).run(state, other, sinceMs);
      });
      db.exec('PRAGMA synchronous = NORMAL');
    },
    writeChanges: (parts) => inTransaction(db, () => parts.flatMap(writePart)),
    writeRecords: (table, records) =>
      inTransaction(db, () => {
        for (const record of records) store(table, record);
      }),
    deleteRecords: (table, keys) => {
      const conditions = recordColumns(table).key.map((column) => `${column} = ?`);
      const remove = db.prepare(`DELETE FROM ${table} WHERE ${conditions.join(' AND ')}`);
      inTransaction(db, () => {
        for (const key of keys) remove.run(...key);
      });
    },
    removeDetails: (account, reference, removedAtMs) =>
      inTransaction(db, () => void db.prepare(REMOVE_DETAILS).run(removedAtMs, account, reference)),
    unmark: () => {
      // All commits before this one are on the disk with it.
      db.exec('PRAGMA synchronous = FULL');
      inTransaction(db, () => {
        db.exec(REMOVE_FENCE);
        db.exec('DELETE FROM copy_state');
      });
    },
  };
}

const STATUS_AT = STORED_COLUMNS.indexOf('status');
const PENDING_SEQUENCE_AT = STORED_COLUMNS.indexOf('pending_sequence');
const storedStatusOf = (values: StoredValues) => values[STATUS_AT] as string | null;

/** The account is ?1, and the values of STORED_COLUMNS follow. */
const parameterOf = (column: string) => `?${STORED_COLUMNS.indexOf(column) + 2}`;
const COMPLETED = SET_LATER.map(({ column }) => `${column} = ${parameterOf(column)}`);
const SAME_PENDING = [
  ...FIXED.map(({ column }) => `${column} IS ${parameterOf(column)}`),
  sameDetailsSql(parameterOf, (column) => column, 'IS'),
];

/** Writes a part, or returns the conflicts and writes nothing of it. */
function partWriter(db: DatabaseSync): (part: SentPart) => ChangeConflict[] {
  const readHead = headReader(db);
  const storeHead = db.prepare(
    'INSERT INTO accounts (account, head_sequence) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET head_sequence = ?2',
  );
  const writeRow = rowWriter(db);
  const noteStatuses = statusNoter(db);
  const addSums = sumAdder(db);
  const begin = db.prepare('SAVEPOINT part');
  const commit = db.prepare('RELEASE part');
  const undo = db.prepare('ROLLBACK TO part');

  return ({ account, after, upTo, rows }) => {
    const head = readHead(account);
    if (head !== after) return [{ account, expectedHead: after, head }];
    begin.run();
    noteStatuses(rows.map(storedStatusOf));
    const conflicts: ChangeConflict[] = [];
    for (const row of rows) {
      const conflict = writeRow(account, row, after);
      if (conflict !== null) conflicts.push(conflict);
    }
    if (conflicts.length === 0) {
      storeHead.run(account, upTo);
      addSums(account, sumsOfChanges(rows.map(storedRowOf), after));
    } else undo.run();
    commit.run();
    return conflicts;
  };
}

/** Inserts or completes a row, or returns the conflict. `after` is the head of the account before. */
function rowWriter(
  db: DatabaseSync,
): (account: string, row: StoredValues, after: number) => ChangeConflict | null {
  const insert = db.prepare(
    `INSERT INTO transactions (account, ${STORED_COLUMN_LIST}) VALUES (?, ${STORED_COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT DO NOTHING`,
  );
  const complete = db.prepare(
    `UPDATE transactions SET ${COMPLETED.join(', ')}
     WHERE account = ?1 AND ${SAME_PENDING.join(' AND ')} AND status = 'pending'`,
  );
  const find = db.prepare(
    `SELECT ${STORED_COLUMN_LIST} FROM transactions WHERE account = ?1 AND reference = ?2
     UNION ALL SELECT ${STORED_COLUMN_LIST} FROM transactions WHERE account = ?1 AND pending_sequence IN (?3, ?4)
     UNION ALL SELECT ${STORED_COLUMN_LIST} FROM transactions WHERE account = ?1 AND final_sequence IN (?3, ?4)
     LIMIT 1`,
  );
  find.setReturnArrays(true);
  const conflictOf = (account: string, row: StoredRow, isOwnFine: boolean): ChangeConflict => {
    const { reference, pendingSequence, finalSequence } = row;
    const found = isOwnFine
      ? find.get(account, null, null, finalSequence)
      : find.get(account, reference, pendingSequence, finalSequence);
    return { account, row, found: found && storedRowOf(found as unknown as StoredValues) };
  };

  return (account, values, after) => {
    const isCompletion = wasPendingAt(
      { pendingSequence: values[PENDING_SEQUENCE_AT] as number | null },
      after,
    );
    try {
      const written = isCompletion ? complete.run(account, ...values) : insert.run(account, ...values);
      return written.changes === 1 ? null : conflictOf(account, storedRowOf(values), false);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      // The transaction is pending as it should be, and another one has its final number.
      return conflictOf(account, storedRowOf(values), true);
    }
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
