/*
 * The thread of SqliteCopyTarget, so that the next rows are read while these are written. Requests are done
 * one after the other, in their order.
 */

import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { existingFile, openFileAt, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { answerCalls } from '../../../db/sqlite/thread.ts';
import { makeDurable, truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { type CopyWriter, copyWriter } from './copy-writer.ts';

/** Another program can write meanwhile. */
const WAIT_MS = 60_000;
/** Rows come by number, and each index has another order: many of its pages change again and again. */
const CACHE_KIB = 32_768;
/** 64 MiB of log: a page that changes in many transactions is written back once. */
const CHECKPOINT_PAGES = 16_384;

const path = workerData as string;
const db = new DatabaseSync(existingFile(path), { timeout: WAIT_MS });
makeDurable(db);
// A power failure can undo the last commits, in their order. The heads then say what is copied again.
db.exec(
  `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA synchronous = NORMAL`,
);
const writer = copyWriter(db);
const file = openFileAt(path);

answerCalls(
  ({ name, values }) => {
    const write = writer[name as keyof CopyWriter] as (...values: readonly unknown[]) => unknown;
    refuseMovedFile(file);
    const result = write(...values);
    refuseMovedFile(file);
    return result;
  },
  () => {
    try {
      truncateLog(db);
    } catch {
      // The next program that opens the file checkpoints it.
    }
    db.close();
  },
);
