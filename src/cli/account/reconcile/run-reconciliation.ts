import type { Transaction } from '../../../../client/src/index.ts';
import { StagingFailed } from '../../../db/sqlite/staging-failed.ts';
import { readCsv } from '../../../operate/import/read-csv.ts';
import {
  type ComparableField,
  comparedValue,
  type KeyField,
  type MatchRules,
} from '../../../operate/reconcile/compared-fields.ts';
import { ContainedKeys } from '../../../operate/reconcile/contained-keys.ts';
import type { ColumnMapping, FileColumns } from '../../../operate/reconcile/file-columns.ts';
import type { DateOrder } from '../../../operate/reconcile/file-values.ts';
import { type Difference, Reconciliation } from '../../../operate/reconcile/find-differences.ts';
import { type PaidDays, withoutLine } from '../../../operate/reconcile/paid-days.ts';
import type { ReconcileStaging } from '../../../operate/reconcile/reconcile-staging.ts';
import { ReconcileSums } from '../../../operate/reconcile/reconcile-sums.ts';
import { openReconcileStaging } from '../../../operate/reconcile/sqlite/reconcile-staging.ts';
import { type StagedFile, stageFile } from '../../../operate/reconcile/stage-file.ts';
import { counted, lineCount, number } from '../../../values/counted.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { FaultyLineReport } from '../../terminal/faulty-lines.ts';
import { type Progress, printLines, printNote, progress } from '../../terminal/output.ts';
import { explainStaging, explainUnreadable } from '../../terminal/read-input.ts';
import { RECONCILE_FORMATS } from './reconcile-formats.ts';
import { reconcileHeader } from './reconcile-header.ts';
import { ignoredNote, type Late, lateNote, summaryOf } from './reconcile-report.ts';

interface ReconcileRun {
  /** The file name as the user typed it. */
  file: string;
  input: AsyncIterable<Buffer>;
  key: KeyField;
  mappings: readonly ColumnMapping[];
  decimalComma: boolean;
  dateOrder: DateOrder | undefined;
  /** Whether the key is a part of the text in its column. */
  isContained: boolean;
  rules: MatchRules;
  /** The days of payment of the file. Transactions are also read from the days around them. */
  paid: PaidDays;
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
/** How many of the late transactions are named. */
const MAX_LATE = 5;

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
    const reconciliation = new Reconciliation(columns, passes, staging, run.rules);
    const sums = new ReconcileSums();
    const keys = run.isContained ? new ContainedKeys() : undefined;
    await readTransactions(run, reconciliation, sums, keys, shown);
    shown.show('sorting');
    if (keys !== undefined) staging.replaceKeys((text) => keys.keyOf(text));
    reconciliation.matchEqual((rows) => shown.show(`compared ${number(rows)} lines and transactions`));
    shown.clear();
    const { count: differences, late } = await printDifferences(run, columns, reconciliation, sums);
    const summary = [...summaryOf(sums.rows(), columns), ...lateNote(late)];
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

async function stage(
  { file, input, key, mappings, decimalComma, dateOrder }: ReconcileRun,
  staging: ReconcileStaging,
  shown: Progress,
): Promise<{ columns: FileColumns } & StagedFile> {
  const rules = { key, decimalComma, dateOrder, fields: [] as readonly ComparableField[] };
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
      throw explainUnreadable(error, file, 'compared');
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

async function readTransactions(
  { key, transactions, explain }: ReconcileRun,
  reconciliation: Reconciliation,
  sums: ReconcileSums,
  keys: ContainedKeys | undefined,
  shown: Progress,
): Promise<void> {
  let read = 0;
  const summed = async function* () {
    for await (const transaction of transactions(shown.note)) {
      read++;
      sums.addTransaction(transaction);
      const ours = comparedValue(transaction, key);
      if (ours !== null) keys?.add(ours);
      yield transaction;
    }
  };
  try {
    await reconciliation.stageTransactions(summed(), (count) =>
      shown.show(`read ${counted(count, 'transaction')} of the account`),
    );
  } catch (error) {
    if (error instanceof StagingFailed) throw error;
    throw explain(error, read === 0 ? undefined : 'Nothing was compared.');
  }
}

/** Prints the differences, adds them to the sums, and returns their number, with the transactions whose line can be in the next file. */
async function printDifferences(
  { format: name, explain, paid, rules }: ReconcileRun,
  columns: FileColumns,
  reconciliation: Reconciliation,
  sums: ReconcileSums,
): Promise<{ count: number; late: Late }> {
  const format = RECONCILE_FORMATS[name](columns);
  let count = 0;
  const late: Late = { count: 0, some: [] };
  const isReported = ({ kind, account }: Difference): boolean => {
    const of = kind === 'missing_there' ? withoutLine(account, paid, rules) : 'missing';
    if (of === 'missing' || account === null) return true;
    sums.removeTransaction(account);
    if (of === 'late' && late.count++ < MAX_LATE) late.some.push(account);
    return false;
  };
  const lines = async function* () {
    yield format.head;
    for (const all of partsOf(reconciliation.differences())) {
      const part = all.filter(isReported);
      for (const difference of part) sums.addDifference(difference);
      yield format.lines(part);
      count += part.length;
    }
  };
  const isRead = await printLines(lines(), { exact: name === 'csv' }).catch((error) => {
    throw error instanceof StagingFailed ? error : explain(error, undefined);
  });
  // The exit status must not say that there is no difference.
  if (!isRead) throw new CommandFailed();
  return { count, late };
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
