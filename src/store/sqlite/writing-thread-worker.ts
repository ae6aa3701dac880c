/* The other side of WritingThread: asked one after the other, and told what became of each. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreUnavailable } from '../../core/store.ts';
import { makeDurable } from './database.ts';
import { directRecorder } from './record-transactions.ts';
import type { Asked, Told } from './writing-thread.ts';

/** How long a recording waits for another program that writes. */
const WAIT_MS = 1500;
/** Room for the pages that the indexes of some thousand rows touch. */
const CACHE_KIB = 16_384;
/** 16 MiB of log before it is written back: each page is written once for many commits. */
const CHECKPOINT_PAGES = 4096;

const port = parentPort;
if (port === null) throw new Error('this is no thread of its own');

const db = new DatabaseSync(workerData as string, { timeout: WAIT_MS });
makeDurable(db);
db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
const recorder = directRecorder(db);

port.on('message', (asked: Asked | null) => {
  if (asked === null) {
    db.close();
    port.close();
  } else {
    port.postMessage(answerTo(asked));
  }
});

function answerTo({ id, operation, values }: Asked): Told {
  try {
    const work = recorder[operation] as (...values: Asked['values']) => never;
    return { id, answer: work(...values) };
  } catch (error) {
    return error instanceof StoreUnavailable ? { id, unavailable: error.message } : { id, error };
  }
}
