import { formatTimestamp } from '../core/calendar.ts';
import {
  compareStaged,
  type ImportConflict,
  type ImportCounts,
  NOTHING_RECORDED,
} from '../core/import/compare-staged.ts';
import { type ImportStaging, StagingFailed } from '../core/import/import-staging.ts';
import { type RecordedImport, recordStaged } from '../core/import/record-staged.ts';
import { type SourceLine, UnreadableSource } from '../core/import/source-line.ts';
import { stageLines } from '../core/import/stage-lines.ts';
import type { ParseRules } from '../core/parse-transaction.ts';
import { quote } from '../core/quote.ts';
import { type ImportConnection, type Store, StoreUnavailable } from '../core/store.ts';
import { openImportStaging } from '../store/import-staging.ts';
import { CommandFailed } from './failure.ts';
import { printManyNotes, printNote, printResult, progress } from './output.ts';
import { openMigrated, openWithoutMigrating, type StoreSettings } from './with-store.ts';

export interface ImportRun {
  /** As the user named it. */
  file: string;
  lines: AsyncIterable<SourceLine[]>;
  rules: ParseRules;
  /** How many lines got a reference so far. */
  assignedReferences(): number;
  settings: StoreSettings;
  skipInvalid: boolean;
  dryRun: boolean;
}

/**
 * Checks every line of a file, then records the good ones in short transactions.
 *
 * Throws: CommandFailed where a line is faulty, or the import could not be finished.
 */
export async function runImport(run: ImportRun): Promise<void> {
  const opened: { store: Store | null } = { store: await storeToCompareWith(run) };
  let staging: ImportStaging | undefined;
  try {
    staging = openImportStaging();
    const checked = await check(run, staging, opened.store).catch((error) => {
      throw explain(error, run.file);
    });
    await noteAssignedReferences(run);
    if (run.dryRun || (checked.faultyLines > 0 && !run.skipInvalid)) return report(run, checked);
    opened.store ??= await openMigrated(run.settings);
    await record(run, staging, opened.store, checked);
  } finally {
    staging?.close();
    await opened.store?.close();
  }
}

/** The database as it is now. Null where it holds nothing, or can't be read before it is migrated. */
async function storeToCompareWith({ settings, dryRun }: ImportRun): Promise<Store | null> {
  const asItIs = await openWithoutMigrating(settings);
  if ('store' in asItIs) return asItIs.store;
  if (asItIs.isEmpty) return null;
  if (!dryRun) return openMigrated(settings);
  printNote(
    `The database needs the migrations ${asItIs.pending.join(', ')}, and a dry run makes none: no line was compared with what is recorded. Run "transactions migrate" first, and check again.`,
  );
  return null;
}

interface Checked {
  lines: number;
  /** Of the check alone, or what is to be expected of recording. */
  counts: ImportCounts;
  /** Faulty by themselves, or in contradiction with another line or a recorded transaction. */
  faultyLines: number;
}

async function check(run: ImportRun, staging: ImportStaging, store: Store | null): Promise<Checked> {
  const shown = progress();
  const onConflict = conflictReporter(shown);
  const { lines, faultyLines } = await stageLines(run.lines, run.rules, staging, {
    onFault: async (line, field, detail) => {
      shown.clear();
      await printManyNotes(`line ${line}${field === null ? '' : `, column ${field}`}: ${detail}`);
    },
    onProgress: (checked) => shown.show(`checked ${lineCount(checked)}`),
  });
  shown.show(`sorting ${lineCount(staging.lineCount)}`);
  staging.finish();
  const connection = await store?.openImport();
  const counts = await compareStaged(staging, connection ?? NOTHING_RECORDED, {
    onConflict,
    onProgress: (compared) => shown.show(`compared ${number(compared)} of ${lineCount(staging.lineCount)}`),
  }).finally(() => connection?.close());
  shown.clear();
  return { lines, counts, faultyLines: faultyLines + counts.conflicts };
}

/** Records what was checked, and ends after the current transaction where it is told to stop. */
async function record(
  run: ImportRun,
  staging: ImportStaging,
  store: Store,
  { lines, counts: expected, faultyLines }: Checked,
): Promise<void> {
  const shown = progress();
  const total = staging.toRecordCount;
  shown.show(`sorting ${number(total)} transactions`);
  const interrupted = interruption(shown);
  let connection: ImportConnection | undefined;
  let recorded: RecordedImport;
  try {
    connection = await store.openImport();
    recorded = await recordStaged(staging.inRecordingOrder(), connection, {
      isStopped: () => interrupted.signal !== null,
      onConflict: conflictReporter(shown),
      onRefused: async (line, error) => {
        shown.clear();
        await printManyNotes(`line ${line}: the database refuses it: ${(error as Error).message}`);
      },
      onProgress: (count) => shown.show(`recorded ${number(count)} of ${number(total)} transactions`),
    });
  } finally {
    interrupted.forget();
    await connection?.close();
  }
  shown.clear();
  if (recorded.end !== 'completed') throw explainUnfinished(run, recorded, interrupted.signal, total);
  const faulty = faultyLines + recorded.counts.conflicts + recorded.refused;
  const counts = { ...recorded.counts, unchanged: recorded.counts.unchanged + expected.unchanged };
  printResult(`Imported ${lineCount(lines)}: ${outcomeOf(counts, faulty)}.`);
  throwUnlessAllRecorded(run, recorded);
}

function throwUnlessAllRecorded({ skipInvalid }: ImportRun, { counts, refused }: RecordedImport): void {
  const causes: string[] = [];
  if (counts.conflicts > 0 && !skipInvalid) {
    causes.push(
      `${lineCount(counts.conflicts)} came to contradict what others recorded while this import ran, as reported above.`,
    );
  }
  // They were good by every rule of the service, so passing over them was not asked for.
  if (refused > 0) causes.push(`The database refused ${lineCount(refused)}, as reported above.`);
  if (causes.length > 0) throw new CommandFailed(`${causes.join(' ')} All others are recorded.`);
}

/** What a run that recorded nothing found. */
function report({ dryRun, skipInvalid }: ImportRun, { lines, counts, faultyLines }: Checked): void {
  printResult(
    dryRun
      ? `Checked ${lineCount(lines)}: ${outcomeOf(counts, faultyLines)}. Nothing was recorded, as asked.`
      : `Read ${lineCount(lines)}, ${number(faultyLines)} of them faulty. Nothing was recorded.`,
  );
  if (faultyLines === 0 || skipInvalid) return;
  const faulty = `${lineCount(faultyLines)} ${faultyLines === 1 ? 'is' : 'are'} faulty, as reported above.`;
  throw new CommandFailed(
    dryRun ? faulty : `${faulty} Correct them, or record the good lines with --skip-invalid.`,
  );
}

async function noteAssignedReferences({ assignedReferences }: ImportRun): Promise<void> {
  const assigned = assignedReferences();
  if (assigned === 0) return;
  await printManyNotes(
    `${lineCount(assigned)} came without a reference and got one: importing the file again would record them again.`,
  );
}

function conflictReporter(shown: ReturnType<typeof progress>) {
  return async ({ line, differences, contradictedLine }: ImportConflict): Promise<void> => {
    const found = differences.map(
      ({ field, recorded, given }) =>
        `${field} is ${JSON.stringify(recorded)} there and ${JSON.stringify(given)} here`,
    );
    const other =
      contradictedLine === null
        ? 'what is recorded under this reference'
        : `line ${contradictedLine}, which has the same reference`;
    shown.clear();
    await printManyNotes(`line ${line}: contradicts ${other}: ${found.join('; ')}`);
  };
}

/**
 * Notices the first signal to stop, and says so: an import that waits for a row or a lock may do so for a minute. A
 * second one ends the process, as it would without this.
 */
function interruption(shown: ReturnType<typeof progress>): { signal: NodeJS.Signals | null; forget(): void } {
  const interrupted = {
    signal: null as NodeJS.Signals | null,
    forget: () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
  const stop = (signal: NodeJS.Signals) => {
    interrupted.signal = signal;
    interrupted.forget();
    shown.clear();
    printNote(`${signal}: ends after the current transaction. A second one ends it at once.`);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return interrupted;
}

const number = (value: number) => value.toLocaleString('en');
const lineCount = (value: number) => `${number(value)} ${value === 1 ? 'line' : 'lines'}`;

const outcomeOf = ({ recorded, changed, unchanged }: ImportCounts, faulty: number) =>
  `${number(recorded)} new, ${number(changed)} changed, ${number(unchanged)} unchanged, ${number(faulty)} faulty`;

/** A check that could not be finished: nothing is recorded then. */
function explain(error: unknown, file: string): unknown {
  if (error instanceof UnreadableSource)
    return new CommandFailed(`${file} can't be imported: ${error.message} Nothing was recorded.`);
  if (error instanceof StoreUnavailable) return new CommandFailed(`Nothing was recorded: ${error.message}.`);
  if (error instanceof StagingFailed)
    return new CommandFailed(`Nothing was recorded: ${explainStaging(error)}`);
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'open') return new CommandFailed(`There is no file ${file}.`);
  if (syscall === 'open' || syscall === 'read')
    return new CommandFailed(`${file} can't be read: ${message}. Nothing was recorded.`);
  return error;
}

const explainStaging = ({ message }: StagingFailed) =>
  `${message}. Make room in the folder for temporary files, or name another one in TMPDIR.`;

/** A recording that ended early: what is recorded then, where it stands, and what to do. */
function explainUnfinished(
  run: ImportRun,
  { end, transactions, last }: RecordedImport,
  signal: NodeJS.Signals | null,
  total: number,
): unknown {
  const failure = typeof end === 'object' ? end.failure : undefined;
  const known = failure instanceof StoreUnavailable || failure instanceof StagingFailed;
  if (failure !== undefined && !known) return failure;
  const cause =
    failure === undefined
      ? `Stopped by ${signal}.`
      : failure instanceof StagingFailed
        ? `The import ended early: ${explainStaging(failure)}`
        : `The import ended early: ${failure.message}.`;
  // A transaction of the database whose answer was lost may be there or not.
  const atLeast = failure instanceof StoreUnavailable ? 'At least ' : '';
  const place =
    last === undefined
      ? ''
      : `, up to ${formatTimestamp(last.createdAtMs)} of account ${quote(last.account)}`;
  const assigned = run.assignedReferences();
  const again =
    assigned === 0
      ? 'Import the file again to record the rest.'
      : `Importing the file again records the rest, and of the ${lineCount(assigned)} without a reference also those that are recorded already.`;
  return new CommandFailed(
    `${cause} ${atLeast}${number(transactions)} of ${number(total)} transactions are recorded${place}. ${again}`,
  );
}
