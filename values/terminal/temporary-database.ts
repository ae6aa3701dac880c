import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

const CACHE_KIB = 8192;

/** The file has no name, so it disappears even after SIGKILL. Sorting uses the disk, not memory. */
export function openTemporaryDatabase(schema: string): DatabaseSync {
  return orStagingFailed(() => {
    const db = new (process.getBuiltinModule('node:sqlite').DatabaseSync)('');
    db.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -${CACHE_KIB};
${schema}`,
    );
    return db;
  });
}

/** The message is a sentence for the user. */
export class StagingFailed extends Error {
  override readonly name = 'StagingFailed';
}

export function orStagingFailed<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new StagingFailed(`the temporary file can't be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

export function insertAll<Row>(db: DatabaseSync, rows: readonly Row[], insert: (row: Row) => void): void {
  if (rows.length === 0) return;
  orStagingFailed(() => {
    db.exec('BEGIN');
    for (const row of rows) insert(row);
    db.exec('COMMIT');
  });
}

/** Each call prepares its own statement, because a statement can serve only one iterator at a time. */
export function* iterateRows<Row>(
  prepare: () => StatementSync,
  values: readonly SQLInputValue[] = [],
): Generator<Row, undefined> {
  const rows = orStagingFailed(() => prepare().iterate(...values));
  for (;;) {
    const { done, value } = orStagingFailed(() => rows.next());
    if (done === true) return undefined;
    yield value as Row;
  }
}
