/*
 * The thread of SqliteCopyTarget, so that the next rows are read while these are written. Requests are done one after the other, in
 * their order.
 */

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { orUnavailable } from '../../../db/sqlite/errors.ts';
import { existingFile, openFileAt, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { makeDurable, truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { CopyRequest, CopyResponse } from './copy-target.ts';
import { copyWriter } from './copy-writer.ts';

/** The changes of the roll-up are written in short transactions meanwhile. */
const WAIT_MS = 60_000;
/** Rows come in the order of their numbers, and each index has another one: many of its pages change again and again. */
const CACHE_KIB = 32_768;
/** 64 MiB of log: a page that changes in many transactions is written back once. */
const CHECKPOINT_PAGES = 16_384;

const port = parentPort;
if (port === null) throw new Error('this is not a worker thread');

const path = workerData as string;
const db = new DatabaseSync(existingFile(path), { timeout: WAIT_MS });
makeDurable(db);
// A power failure can undo the last commits, in their order. The heads then say what is copied again.
db.exec(
  `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA synchronous = NORMAL`,
);
const writer = copyWriter(db);
const file = openFileAt(path);

port.on('message', (request: CopyRequest | null) => {
  if (request !== null) {
    port.postMessage(responseTo(request));
    return;
  }
  try {
    truncateLog(db);
  } catch {
    // The next program that opens the file checkpoints it.
  }
  db.close();
  port.close();
});

function responseTo({ id, name, values }: CopyRequest): CopyResponse {
  const write = writer[name] as (...values: readonly unknown[]) => unknown;
  try {
    refuseMovedFile(file);
    const result = orUnavailable(() => write(...values));
    refuseMovedFile(file);
    return { id, result };
  } catch (error) {
    return error instanceof StoreUnavailable ? { id, unavailable: error.message } : { id, error };
  }
}
