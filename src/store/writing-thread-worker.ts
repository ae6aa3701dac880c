/*
 * The thread of WritingThread. It accepts requests also while another program holds the write lock: each has its own time
 * limit, and writes of keys do not wait behind recordings.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { isBusy, orUnavailable } from '../db/sqlite/errors.ts';
import { makeDurable } from '../db/sqlite/write-ahead-log.ts';
import { WRITE_LOCK_RETRY_MS } from '../db/sqlite/write-lock.ts';
import { StoreUnavailable } from '../values/store-errors.ts';
import { runWrite, type WriteName, writerOn } from './writer.ts';
import type { WriteRequest, WriteResponse } from './writing-thread.ts';

/** How long to wait while another program recovers the log, or closes it as its last user. */
const OPENING_WAIT_MS = 1000;
/** Room for the index pages that some thousand rows change. */
const CACHE_KIB = 16_384;
/** A checkpoint after 16 MiB of log: each page is written back once for many commits. */
const CHECKPOINT_PAGES = 4096;

/** Writes that come in streams. */
const RECORDINGS: readonly WriteName[] = [
  'recordTransactions',
  'recordOnce',
  'numberTransactions',
  'fold',
  'storeProgress',
];

type Waiting = WriteRequest & { deadlineMs: number };

const port = parentPort;
if (port === null) throw new Error('this is not a worker thread');

const db = new DatabaseSync(workerData as string, { timeout: OPENING_WAIT_MS });
makeDurable(db);
db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
const writer = writerOn(db);
// The thread itself waits between two tries to take the lock, and accepts requests meanwhile.
db.exec('PRAGMA busy_timeout = 0');

/** Writes of keys and the like go first: they are few and small, and a revocation must not wait behind a stream of recordings. */
let keys: Waiting[] = [];
let recordings: Waiting[] = [];
let isWriting = false;
let isClosing = false;

port.on('message', (request: WriteRequest | null) => {
  if (request === null) isClosing = true;
  else {
    const queue = RECORDINGS.includes(request.name) ? recordings : keys;
    queue.push({ ...request, deadlineMs: performance.now() + request.waitMs });
  }
  if (!isWriting) void writeAll();
});

async function writeAll(): Promise<void> {
  isWriting = true;
  for (let next = keys[0] ?? recordings[0]; next !== undefined; next = keys[0] ?? recordings[0]) {
    const response = responseTo(next);
    if (response === undefined) {
      keys = withoutOverdue(keys);
      recordings = withoutOverdue(recordings);
      await delay(WRITE_LOCK_RETRY_MS);
      continue;
    }
    (next === keys[0] ? keys : recordings).shift();
    port?.postMessage(response);
    await nextTurn();
  }
  isWriting = false;
  if (!isClosing) return;
  db.close();
  port?.close();
}

/** The response to a write, or undefined if another program holds the write lock. */
function responseTo({ id, name, values }: WriteRequest): WriteResponse | undefined {
  try {
    return { id, result: orUnavailable(() => runWrite(db, writer, name, values)) };
  } catch (error) {
    if (error instanceof StoreUnavailable)
      return isBusy(error.cause) ? undefined : { id, unavailable: error.message };
    return { id, error };
  }
}

/** Fails the writes whose time limit is over, and returns the others. */
function withoutOverdue(queue: readonly Waiting[]): Waiting[] {
  const nowMs = performance.now();
  return queue.filter(({ id, deadlineMs }) => {
    if (nowMs < deadlineMs) return true;
    port?.postMessage({ id, unavailable: 'another program holds the write lock of the database' });
    return false;
  });
}
