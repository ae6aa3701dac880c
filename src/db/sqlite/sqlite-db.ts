import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Db, Turn } from '../db.ts';
import type { RowsOf, Step, Value } from '../statement.ts';
import { readRows } from '../statement-text.ts';
import type { Read } from './open-file.ts';
import { sqliteText } from './prepared.ts';

/** A statement as it is sent to a connection of SQLite, which can be on another thread. */
export interface SentStep {
  text: string;
  values: readonly Value[];
}

/** Runs steps in one transaction of the database, for an account or for none. Returns the rows of each. */
export type RunSteps = (
  turn: Turn,
  account: string | undefined,
  steps: readonly SentStep[],
) => Promise<Value[][][]>;

/** Runs a step that only reads where no request waits for it. */
export type ReadLong = (step: SentStep) => Promise<Value[][]>;

/** The database of a file. `read` reads on the connection of the calling thread, and `run` writes. */
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

/** Runs steps on a connection. Each text is prepared once. */
export function stepRunner(db: DatabaseSync): (step: SentStep) => Value[][] {
  const prepared = new Map<string, StatementSync>();
  return ({ text, values }) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      statement.setReturnArrays(true);
      prepared.set(text, statement);
    }
    return statement.all(...values) as unknown as Value[][];
  };
}

/** A step as it is sent; undefined without a text for SQLite. */
function sentStep({ statement, values }: Step): SentStep | undefined {
  if (statement.texts.sqlite === undefined) return undefined;
  const { text, valuesOf } = sqliteText(statement);
  return { text, values: valuesOf(values) };
}
