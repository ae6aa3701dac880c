import type { DatabaseSync } from 'node:sqlite';
import type { OpenFile } from '../db/sqlite/open-file.ts';
import { stepRunner } from '../db/sqlite/sqlite-db.ts';
import { addTextSearch } from '../db/sqlite/text-search.ts';
import { Thread, type ThreadCall } from '../db/sqlite/thread.ts';
import { changeLister } from '../ledger/changes/sqlite/list-changes.ts';
import { type SealHead, sealChanges } from '../ledger/seals/seal.ts';
import { storedTotalsReader } from '../ledger/totals/sqlite/totals.ts';

export function longReadsOn(db: DatabaseSync) {
  addTextSearch(db);
  const listChanges = changeLister(db);
  return {
    readStep: stepRunner(db),
    readStoredTotals: storedTotalsReader(db).readAll,
    sealChanges: (account: string, from: SealHead, limit: number) =>
      sealChanges(account, from, listChanges({ account, after: from.sequence, limit })),
  };
}

type LongReads = ReturnType<typeof longReadsOn>;

export type CallLongRead = <Name extends keyof LongReads>(
  name: Name,
  ...values: Parameters<LongReads[Name]>
) => Promise<ReturnType<LongReads[Name]>>;

interface ReadCall extends ThreadCall {
  name: keyof LongReads;
}

/** Starts a thread at the first long read, so that requests do not wait for long reads. */
export const readingThread = (file: OpenFile) =>
  new Thread<ReadCall>('reading', new URL('./reading-thread-worker.ts', import.meta.url), {
    workerData: file,
  });
