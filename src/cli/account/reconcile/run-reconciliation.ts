import type { Transaction } from '../../../../client/src/index.ts';
import { StagingFailed } from '../../../db/sqlite/staging-failed.ts';
import { readCsv } from '../../../operate/import/read-csv.ts';
import { UnreadableSource } from '../../../operate/import/source-line.ts';
import type { ComparableField, KeyField } from '../../../operate/reconcile/compared-fields.ts';
import type { ColumnMapping, FileColumns } from '../../../operate/reconcile/file-columns.ts';
import { type Difference, Reconciliation } from '../../../operate/reconcile/find-differences.ts';
import type { ReconcileStaging } from '../../../operate/reconcile/reconcile-staging.ts';
import { ReconcileSums } from '../../../operate/reconcile/reconcile-sums.ts';
import { openReconcileStaging } from '../../../operate/reconcile/sqlite/reconcile-staging.ts';
import { type StagedFile, stageFile } from '../../../operate/reconcile/stage-file.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import { sentence } from '../../../values/sentence.ts';
import { FaultyLineReport } from '../../terminal/faulty-lines.ts';
import { printLines, printNote, progress } from '../../terminal/output.ts';
import { explainStaging, lineCount, number } from '../../terminal/text.ts';
import { RECONCILE_FORMATS } from './reconcile-formats.ts';
import { reconcileHeader } from './reconcile-header.ts';
import { ignoredNote, summaryOf } from './reconcile-report.ts';

interface ReconcileRun {
  /** The file name as the user typed it. */
  file: string;
  input: AsyncIterable<Buffer>;
  key: KeyField;
  mappings: readonly ColumnMapping[];
  decimalComma: boolean;
  format: keyof typeof RECONCILE_FORMATS;
  /**
   * The transactions of the account. The iteration throws unless it is complete. `note` is called with a line when it is
   * interrupted, and when it continues.
   */
  transactions(note: (line: string) => void): AsyncIterable<Transaction>;
  /** The error of the service for the user. `incomplete` is a line after it. */
  explain(error: unknown, incomplete: string | undefined): unknown;
}

const LINES_PER_PART = 500;

/**
 * Compares a file with the transactions of an account, and prints the differences and a summary.
 *
 * Throws: CommandFailed if they differ, or can't be compared; UsageError if the columns of the file can't be compared.
 */
export async function runReconciliation(run: ReconcileRun): Promise<void> {
  const staging = openReconcileStaging();
  const shown = progress();
  try {
    const { columns, passes } = await stage(run, staging, shown);
    const reconciliation = new Reconciliation(columns, passes, staging);
    const sums = new ReconcileSums();
    await readTransactions(run, reconciliation, sums, shown);
    shown.show('sorting');
    reconciliation.matchEqual((rows) => shown.show(`compared ${number(rows)} lines and transactions`));
    shown.clear();
    const differences = await printDifferences(run, reconciliation, sums);
    const summary = summaryOf(sums.rows(), columns);
    if (differences > 0) throw new CommandFailed(...summary);
    printNote(...summary);
  } catch (error) {
    shown.clear();
    if (error instanceof StagingFailed)
      throw new CommandFailed(`The comparison could not be finished: ${explainStaging(error)}`);
    throw error;
  } finally {
    staging.close();
  }
}

type Shown = ReturnType<typeof progress>;

async function stage(
  { file, input, key, mappings, decimalComma }: ReconcileRun,
  staging: ReconcileStaging,
  shown: Shown,
): Promise<{ columns: FileColumns } & StagedFile> {
  const rules = { key, decimalComma, fields: [] as readonly ComparableField[] };
  let columns: FileColumns | undefined;
  const header = reconcileHeader(mappings, key, (found) => {
    columns = found;
    rules.fields = found.fields;
    printNote(...ignoredNote(found));
  });
  const report = new FaultyLineReport(shown);
  const staged = await stageFile(readCsv(input, header), rules, staging, {
    onFault: (fault) => report.add(fault),
    onProgress: (lines) => shown.show(`read ${lineCount(lines)}`),
  })
    .catch((error) => {
      throw explainUnreadable(error, file);
    })
    .finally(() => report.end());
  if (staged.faultyLines > 0) {
    throw new CommandFailed(
      `${number(staged.faultyLines)} of ${lineCount(staged.lines)} of ${file} can't be compared, so nothing was compared.`,
    );
  }
  // Without a header, readCsv throws.
  return { ...staged, columns: columns as FileColumns };
}

function explainUnreadable(error: unknown, file: string): unknown {
  if (error instanceof UnreadableSource)
    return new CommandFailed(`${file} can't be compared: ${error.message}`);
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'open') return new CommandFailed(`There is no file ${quote(file)}.`);
  if (syscall === 'open' || syscall === 'read')
    return new CommandFailed(`${file} can't be read: ${sentence(message)}`);
  return error;
}

async function readTransactions(
  { transactions, explain }: ReconcileRun,
  reconciliation: Reconciliation,
  sums: ReconcileSums,
  shown: Shown,
): Promise<void> {
  let read = 0;
  const note = (line: string) => {
    shown.clear();
    printNote(line);
  };
  const counted = async function* () {
    for await (const transaction of transactions(note)) {
      read++;
      sums.addTransaction(transaction);
      yield transaction;
    }
  };
  try {
    await reconciliation.stageTransactions(counted(), (count) =>
      shown.show(`read ${number(count)} transactions of the account`),
    );
  } catch (error) {
    if (error instanceof StagingFailed) throw error;
    throw explain(error, read === 0 ? undefined : 'Nothing was compared.');
  }
}

/** Prints the differences, adds them to the sums, and returns their number. */
async function printDifferences(
  { key, format: name, explain }: ReconcileRun,
  reconciliation: Reconciliation,
  sums: ReconcileSums,
): Promise<number> {
  const format = RECONCILE_FORMATS[name](key);
  let count = 0;
  const lines = async function* () {
    yield format.head;
    for (const part of partsOf(reconciliation.differences())) {
      for (const difference of part) sums.addDifference(difference);
      yield format.lines(part);
      count += part.length;
    }
  };
  try {
    await printLines(lines(), { exact: name === 'csv' });
  } catch (error) {
    if (error instanceof StagingFailed) throw error;
    // The reader of the output has ended, for example `| head`. The exit status must not say that there is no difference.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new CommandFailed();
    throw explain(error, undefined);
  }
  return count;
}

function* partsOf(differences: Iterable<Difference>): Generator<Difference[]> {
  let part: Difference[] = [];
  for (const difference of differences) {
    part.push(difference);
    if (part.length < LINES_PER_PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
