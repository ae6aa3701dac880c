import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { isBusy } from '../db/sqlite/errors.ts';
import { existingFile, type OpenFile, refuseMovedFile } from '../db/sqlite/open-file.ts';
import { failureOf, onCalls, type ThreadResponse } from '../db/sqlite/thread.ts';
import { makeDurable } from '../db/sqlite/write-ahead-log.ts';
import { WRITE_LOCK_RETRY_MS } from '../db/sqlite/write-lock.ts';
import type { WriteCall } from './writer.ts';
import { HELD, runWrites, WriteQueue, type WriteResult, writerOn } from './writer.ts';

/** How long to wait while another program recovers or closes the log. */
const OPENING_WAIT_MS = 1000;
/** SQLite's cache. It has room for the index pages that change when several thousand rows are added. */
const CACHE_KIB = 16_384;
/** 16 MiB. A page that changes in many commits is written back only once, at the checkpoint. */
const CHECKPOINT_PAGES = 4096;

type Waiting = WriteCall & { deadlineMs: number };

const file = workerData as OpenFile;
const db = new DatabaseSync(existingFile(file.path), { timeout: OPENING_WAIT_MS });
refuseMovedFile(file);
makeDurable(db);
db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
const writer = writerOn(db);
// SQLite must not wait for the lock, because this thread accepts writes meanwhile.
db.exec('PRAGMA busy_timeout = 0');

const queue = new WriteQueue<Waiting>();
let isWriting = false;
let isClosing = false;

const { respond, end } = onCalls<WriteCall>(
  (call) => {
    queue.add({ ...call, deadlineMs: performance.now() + call.waitMs });
    if (!isWriting) void writeAll();
  },
  () => {
    isClosing = true;
    if (!isWriting) void writeAll();
  },
);

async function writeAll(): Promise<void> {
  isWriting = true;
  for (let next = queue.take(); next.length > 0; next = queue.take()) {
    const responses = responsesTo(next);
    if (responses === undefined) {
      queue.putBack(next);
      failOverdue();
      await delay(WRITE_LOCK_RETRY_MS);
      continue;
    }
    for (const response of responses) respond(response);
    await nextTurn();
  }
  isWriting = false;
  if (!isClosing) return;
  db.close();
  end();
}

function responsesTo(writes: readonly WriteCall[]): ThreadResponse[] | undefined {
  try {
    refuseMovedFile(file);
    const results = runWrites(db, writer, writes);
    // Checked again before the writes are acknowledged: the file may have been deleted during the commit.
    refuseMovedFile(file);
    return writes.map(({ id }, index) => {
      const done = results[index] as WriteResult;
      return 'error' in done ? failureOf(id, done.error) : { id, result: done.result };
    });
  } catch (error) {
    return isBusy(error) ? undefined : writes.map(({ id }) => failureOf(id, error));
  }
}

function failOverdue(): void {
  const nowMs = performance.now();
  for (const { id } of queue.remove(({ deadlineMs }) => nowMs >= deadlineMs))
    respond({ id, unavailable: HELD });
}
