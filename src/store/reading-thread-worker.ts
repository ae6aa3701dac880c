import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { READ_WAIT_MS } from '../db/sqlite/open-database.ts';
import { existingFile, type OpenFile, refuseMovedFile } from '../db/sqlite/open-file.ts';
import { answerCalls } from '../db/sqlite/thread.ts';
import { longReadsOn } from './reading-thread.ts';

const file = workerData as OpenFile;
const db = new DatabaseSync(existingFile(file.path), { timeout: READ_WAIT_MS });
refuseMovedFile(file);
const reads: Record<string, (...values: never[]) => unknown> = { ...longReadsOn(db) };
db.exec('PRAGMA query_only = ON');

answerCalls(
  ({ name, values }) => {
    refuseMovedFile(file);
    return reads[name]?.(...(values as never[]));
  },
  () => db.close(),
);
