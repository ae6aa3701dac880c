import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../../values/batch-size.ts';
import type { ImportConflict, ImportCounts } from './compare-staged.ts';
import type { ImportConnection, ImportOutcome, RecordedBatch } from './import-connection.ts';
import type { LineToRecord } from './import-staging.ts';

/** Shorter than the 50 ms for which recordings on PostgreSQL wait for the row of an account. */
const TARGET_BATCH_MS = 40;

interface RecordImportOptions {
  isStopped(): boolean;
  onConflict(conflict: ImportConflict): Promise<void>;
  onRefused(line: number, error: unknown): Promise<void>;
  onProgress(transactions: number): void;
}

export interface RecordedImport {
  counts: ImportCounts;
  /** The lines that the database refused. No other count includes them. */
  refused: number;
  transactions: number;
  last: LineToRecord | undefined;
  end: 'completed' | 'stopped' | { failure: unknown };
}

export async function recordStaged(
  staged: Iterator<LineToRecord>,
  connection: Pick<ImportConnection, 'recordTransactions' | 'batchesInFlight'>,
  { isStopped, onProgress, ...lines }: RecordImportOptions,
): Promise<RecordedImport> {
  const result: RecordedImport = {
    counts: { recorded: 0, changed: 0, unchanged: 0, conflicts: 0 },
    refused: 0,
    transactions: 0,
    last: undefined,
    end: 'completed',
  };
  let size = FIRST_BATCH_SIZE;
  let next = take(staged, size);
  const inFlight: { transactions: LineToRecord[]; recording: Promise<RecordedBatch> }[] = [];
  for (;;) {
    while (inFlight.length < connection.batchesInFlight && next.transactions.length > 0 && !isStopped()) {
      const { transactions } = next;
      const recording = connection.recordTransactions(transactions);
      // Rejections are handled where the promise is awaited.
      recording.catch(() => {});
      inFlight.push({ transactions, recording });
      next = take(staged, size);
    }
    const first = inFlight.shift();
    if (first === undefined) break;
    const { transactions } = first;
    let recorded: RecordedBatch;
    try {
      recorded = await first.recording;
    } catch (failure) {
      await Promise.allSettled(inFlight.map(({ recording }) => recording));
      return { ...result, end: { failure } };
    }
    result.transactions += transactions.length;
    result.last = transactions.at(-1);
    for (const [index, outcome] of recorded.outcomes.entries())
      await countOutcome(result, transactions[index] as LineToRecord, outcome, lines);
    onProgress(result.transactions);
    size = batchSizeAfter(transactions.length, recorded.tookMs, TARGET_BATCH_MS);
  }
  if ('failure' in next) return { ...result, end: next };
  return next.transactions.length > 0 ? { ...result, end: 'stopped' } : result;
}

type Batch = { transactions: LineToRecord[] } | { transactions: []; failure: unknown };

/** Returns a failure and does not throw, so that the caller first awaits and counts the batches in flight. */
function take(staged: Iterator<LineToRecord>, size: number): Batch {
  const transactions: LineToRecord[] = [];
  try {
    while (transactions.length < size) {
      const { done, value } = staged.next();
      if (done === true) break;
      transactions.push(value);
    }
    return { transactions };
  } catch (failure) {
    return { transactions: [], failure };
  }
}

async function countOutcome(
  result: RecordedImport,
  staged: LineToRecord,
  outcome: ImportOutcome,
  { onConflict, onRefused }: Pick<RecordImportOptions, 'onConflict' | 'onRefused'>,
): Promise<void> {
  if (outcome.outcome === 'failed') {
    result.refused += staged.replacesPending ? 2 : 1;
    await onRefused(staged.line, outcome.error);
    return;
  }
  const { counts } = result;
  const { line, replacesPending } = staged;
  // This line was sent in place of an earlier pending line, which is counted too.
  if (replacesPending) counts[outcome.outcome === 'recorded' ? 'recorded' : 'unchanged']++;
  if (outcome.outcome === 'conflict') {
    counts.conflicts++;
    await onConflict({ line, differences: outcome.differences, contradictedLine: null });
  } else counts[replacesPending && outcome.outcome === 'recorded' ? 'changed' : outcome.outcome]++;
}
