import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Statement, Value, Values } from '../statement.ts';
import { type Numbered, numbered } from '../statement-text.ts';
import { DATABASE_NOW_MS } from './database-clock.ts';

/** A bigint stays an integer for SQLite in every expression. */
type SqliteValues = Readonly<Record<string, Value | bigint>>;

/** A statement of a file that is prepared on a connection. Its rows are arrays. */
export interface Prepared<Row extends unknown[]> {
  all(values: SqliteValues): Row[];
  get(values: SqliteValues): Row | undefined;
  /** Returns how many rows it changed. */
  run(values: SqliteValues): number;
  /** Takes the values in the order in which the text first names them. */
  statement: StatementSync;
}

const known = new WeakMap<Statement, Numbered>();

/** The text of a statement for SQLite, with its parameters by number. */
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
