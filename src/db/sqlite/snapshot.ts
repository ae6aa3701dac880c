import type { DatabaseSync } from 'node:sqlite';

/** Runs several reads in one snapshot of the database: that of the caller, if it is in one. */
export function inSnapshot(db: DatabaseSync): <Result>(work: () => Result) => Result {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');

  return (work) => {
    if (db.isTransaction) return work();
    begin.run();
    try {
      return work();
    } finally {
      // After some errors, SQLite has ended the transaction itself.
      if (db.isTransaction) commit.run();
    }
  };
}

/**
 * Runs the reads of one turn of the event loop together at its end: opening and closing a snapshot takes as long as half of a page. It
 * begins after all of them were asked for, so each sees whatever was acknowledged before, by any process.
 */
export function inSnapshotOfTurn(db: DatabaseSync): <Result>(read: () => Result) => Promise<Result> {
  const snapshot = inSnapshot(db);
  let waiting: (() => void)[] = [];

  const runAll = () => {
    const reads = waiting;
    waiting = [];
    const run = () => {
      for (const read of reads) read();
    };
    try {
      if (reads.length === 1) run();
      else snapshot(run);
    } catch {
      // The connection was closed meanwhile: each read says so.
      run();
    }
  };

  return <Result>(read: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(read());
        } catch (error) {
          reject(error);
        }
      });
      if (waiting.length === 1) setImmediate(runAll);
    });
}
