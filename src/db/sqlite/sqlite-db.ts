import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Db, Turn } from '../db.ts';
import type { RowsOf, Statement, Step, Value, Values } from '../statement.ts';
import { type Numbered, numbered, readRows } from '../statement-text.ts';
import type { Read } from './open-file.ts';
import { type LockWait, waitForWriteLock } from './write-lock.ts';

/** If a statement divides a value, pass a bigint, because SQLite receives a number as REAL. */
type SqliteValues = Readonly<Record<string, Value | bigint>>;

export interface Prepared<Row extends unknown[]> {
  all(values: SqliteValues): Row[];
  get(values: SqliteValues): Row | undefined;
  run(values: SqliteValues): number;
  /** The compiled statement. Its values are in the order in which their names first appear in the text. */
  statement: StatementSync;
}

export const DATABASE_NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

const known = new WeakMap<Statement, Numbered>();

export function sqliteText(statement: Statement): Numbered {
  let text = known.get(statement);
  if (text === undefined) {
    const { name, texts } = statement;
    const write = (number: number) => `?${number}`;
    text = numbered(name, texts.sqlite as string, { databaseNowMs: DATABASE_NOW_MS, write });
    known.set(statement, text);
  }
  return text;
}

export function prepared<Row extends unknown[] = never>(db: DatabaseSync, sent: Statement): Prepared<Row> {
  const { text, valuesOf } = sqliteText(sent);
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  const inOrder = (values: SqliteValues) => valuesOf(values as Values);
  return {
    all: (values) => statement.all(...inOrder(values)) as unknown as Row[],
    get: (values) => statement.get(...inOrder(values)) as unknown as Row | undefined,
    run: (values) => Number(statement.run(...inOrder(values)).changes),
    statement,
  };
}

export function inTransaction<Result>(db: DatabaseSync, work: () => Result, wait?: LockWait): Result {
  if (wait === undefined) db.exec('BEGIN IMMEDIATE');
  else waitForWriteLock(db, wait);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** If the work fails, only its writes are undone, unless SQLite has ended the whole transaction. */
export function inSavepoint<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('SAVEPOINT part');
  try {
    const result = work();
    db.exec('RELEASE part');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK TO part; RELEASE part');
    throw error;
  }
}

export interface SentStep {
  text: string;
  values: readonly Value[];
}

export type RunSteps = (
  turn: Turn,
  account: string | undefined,
  steps: readonly SentStep[],
) => Promise<Value[][][]>;

type ReadLong = (step: SentStep) => Promise<Value[][]>;

export function sqliteDb(db: DatabaseSync, read: Read, readLong: ReadLong, run: RunSteps): Db {
  const rowsOf = stepRunner(db);
  return {
    read: async (statement, values, length) => {
      const step = sentStep({ statement, values });
      if (step === undefined) return [];
      return readRows(statement, length === 'long' ? await readLong(step) : read(rowsOf, step));
    },
    write: async <const Steps extends readonly Step[]>(turn: Turn, steps: Steps) => {
      const sent = steps.map(sentStep);
      const own = steps.find(({ statement }) => statement.on === 'account');
      const account = own && String(own.values['account']);
      const results = await run(
        turn,
        account,
        sent.filter((step) => step !== undefined),
      );
      return steps.map(({ statement }, index) =>
        sent[index] === undefined ? [] : readRows(statement, results.shift() ?? []),
      ) as RowsOf<Steps>;
    },
  };
}

export function stepRunner(db: DatabaseSync): (step: SentStep) => Value[][] {
  const statements = new Map<string, StatementSync>();
  return ({ text, values }) => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      statement.setReturnArrays(true);
      statements.set(text, statement);
    }
    return statement.all(...values) as unknown as Value[][];
  };
}

function sentStep({ statement, values }: Step): SentStep | undefined {
  if (statement.texts.sqlite === undefined) return undefined;
  const { text, valuesOf } = sqliteText(statement);
  return { text, values: valuesOf(values) };
}
