import type { DatabaseSync } from 'node:sqlite';

/** Runs several reads in one snapshot of the database. */
export function inSnapshot(db: DatabaseSync): <Result>(work: () => Result) => Result {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');

  return (work) => {
    begin.run();
    try {
      return work();
    } finally {
      // After some errors, SQLite has ended the transaction itself.
      if (db.isTransaction) commit.run();
    }
  };
}
