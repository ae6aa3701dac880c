import type { ImportConnection, ImportOutcome, RecordedBatch, RecordOutcome } from '../store.ts';
import type { ImportConflict, ImportCounts } from './compare-staged.ts';
import type { StagedTransaction } from './import-staging.ts';

/** Others wait for a transaction of an import no longer than about 100 ms: it aims a little below. */
const AIM_MS = 75;
const FIRST_BATCH = 250;
const LEAST_BATCH = 10;
const LARGEST_BATCH = 4000;

export interface RecordImportOptions {
  isStopped(): boolean;
  /** Called with each line that came to contradict what others recorded since it was checked. */
  onConflict(conflict: ImportConflict): Promise<void>;
  /** Called with each line that the database refuses, by a rule that its owner added for instance. */
  onRefused(line: number, error: unknown): Promise<void>;
  onProgress(transactions: number): void;
}

export interface RecordedImport {
  counts: ImportCounts;
  /** Lines that the database refused: they are in none of the counts. */
  refused: number;
  /** How many of the staged transactions were sent to the database and answered. */
  transactions: number;
  /** The last of them, in their order. */
  last: StagedTransaction | undefined;
  /** What ended it before its end, if anything did. What is counted is recorded all the same. */
  end: 'completed' | 'stopped' | { failure: unknown };
}

/** Records what is staged, in transactions of the database that are short enough for others to wait for. */
export async function recordStaged(
  staged: Iterator<StagedTransaction>,
  connection: Pick<ImportConnection, 'recordTransactions' | 'batchesInFlight'>,
  { isStopped, onProgress, ...lines }: RecordImportOptions,
): Promise<RecordedImport> {
  const report: RecordedImport = {
    counts: { recorded: 0, changed: 0, unchanged: 0, conflicts: 0 },
    refused: 0,
    transactions: 0,
    last: undefined,
    end: 'completed',
  };
  let size = FIRST_BATCH;
  let next = take(staged, size);
  const inFlight: { transactions: StagedTransaction[]; recording: Promise<RecordedBatch> }[] = [];
  for (;;) {
    while (inFlight.length < connection.batchesInFlight && next.transactions.length > 0 && !isStopped()) {
      const { transactions } = next;
      const recording = connection.recordTransactions(transactions);
      // Awaited below; it may fail before its turn.
      recording.catch(() => {});
      inFlight.push({ transactions, recording });
      // Read while the others are in flight.
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
      return { ...report, end: { failure } };
    }
    report.transactions += transactions.length;
    report.last = transactions.at(-1);
    for (const [index, outcome] of recorded.outcomes.entries())
      await note(report, transactions[index] as StagedTransaction, outcome, lines);
    onProgress(report.transactions);
    size = sizeAfter(transactions.length, recorded.tookMs);
  }
  if ('failure' in next) return { ...report, end: next };
  return next.transactions.length > 0 ? { ...report, end: 'stopped' } : report;
}

type Batch = { transactions: StagedTransaction[] } | { transactions: []; failure: unknown };

/** The next ones. Where they can't be read, what is in flight is still to be counted first. */
function take(staged: Iterator<StagedTransaction>, size: number): Batch {
  const transactions: StagedTransaction[] = [];
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

/** As many as would have taken the time that is aimed at, and at most twice as many as before. */
function sizeAfter(size: number, tookMs: number): number {
  const factor = Math.min(2, AIM_MS / Math.max(tookMs, 1));
  return Math.max(LEAST_BATCH, Math.min(LARGEST_BATCH, Math.round(size * factor)));
}

async function note(
  report: RecordedImport,
  staged: StagedTransaction,
  outcome: ImportOutcome,
  { onConflict, onRefused }: Pick<RecordImportOptions, 'onConflict' | 'onRefused'>,
): Promise<void> {
  if (outcome.outcome === 'failed') {
    // The pending line that this one stands for is not recorded either.
    report.refused += staged.replacesPending ? 2 : 1;
    await onRefused(staged.line, outcome.error);
    return;
  }
  const conflict = count(report.counts, staged, outcome);
  if (conflict !== undefined) await onConflict(conflict);
}

function count(
  counts: ImportCounts,
  { line, replacesPending }: StagedTransaction,
  recorded: RecordOutcome,
): ImportConflict | undefined {
  // The pending line that this one stands for counts as new where this one does, and this one as its change.
  if (replacesPending) counts[recorded.outcome === 'recorded' ? 'recorded' : 'unchanged']++;
  switch (recorded.outcome) {
    case 'recorded':
      counts[replacesPending ? 'changed' : 'recorded']++;
      return undefined;
    case 'conflict':
      counts.conflicts++;
      return { line, differences: recorded.differences, contradictedLine: null };
    default:
      counts[recorded.outcome]++;
      return undefined;
  }
}
