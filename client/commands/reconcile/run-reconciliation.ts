import { counted, lineCount, number } from '../../../values/counted.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { readCsv } from '../../../values/read-csv.ts';
import { faultyLineReport } from '../../../values/terminal/faulty-lines.ts';
import { type Progress, printLines, printNote, progress } from '../../../values/terminal/output.ts';
import { explainStaging, explainUnreadable } from '../../../values/terminal/read-input.ts';
import { StagingFailed } from '../../../values/terminal/temporary-database.ts';
import { FileComparison } from '../../reconcile/compare-file.ts';
import type { ComparableField, KeyField, MatchRules } from '../../reconcile/compared-fields.ts';
import type { ColumnMapping, FileColumns } from '../../reconcile/file-columns.ts';
import type { DateOrder } from '../../reconcile/file-values.ts';
import type { PaidDays } from '../../reconcile/paid-days.ts';
import type { ReconcileStaging } from '../../reconcile/reconcile-staging.ts';
import { type StagedFile, stageFile } from '../../reconcile/stage-file.ts';
import type { ExportRestart, Transaction } from '../../src/index.ts';
import { restartNote } from '../export/restart-note.ts';
import { explainLine } from './explain-line.ts';
import { openTable } from './open-table.ts';
import { RECONCILE_FORMATS } from './reconcile-formats.ts';
import { reconcileHeader } from './reconcile-header.ts';
import {
  type ArchivedLines,
  aboveNote,
  archivedLinesNote,
  encodingNote,
  ignoredNote,
  type Late,
  lateNote,
  reconciliationSummary,
} from './reconcile-report.ts';
import { openReconcileStaging } from './sqlite-reconcile-staging.ts';

interface ReconcileRun {
  file: string;
  input: AsyncIterable<Buffer>;
  key: KeyField;
  mappings: readonly ColumnMapping[];
  decimalComma: boolean;
  dateOrder: DateOrder | undefined;
  rules: MatchRules;
  paid: PaidDays;
  format: keyof typeof RECONCILE_FORMATS;
  transactions(
    onRestart: (restart: ExportRestart) => void,
    onArchived: (archivedBefore: string | undefined) => void,
  ): AsyncIterable<Transaction>;
  explain(error: unknown, incomplete: string | undefined): unknown;
}

const MAX_NAMED = 5;

export async function runReconciliation(run: ReconcileRun): Promise<void> {
  const staging = openReconcileStaging();
  const shown = progress();
  try {
    const { columns, passes } = await stage(run, staging, shown);
    const { rules, paid } = run;
    const hasTexts = rules.isContained === true;
    const comparison = new FileComparison({ compared: columns, passes, staging, rules, paid, hasTexts });
    await readTransactions(run, comparison, shown);
    shown.show('sorting');
    comparison.match((rows) => shown.show(`compared ${number(rows)} lines and transactions`));
    shown.clear();
    const { count: differences, late, archived } = await printDifferences(run, columns, comparison);
    const summary = [
      ...reconciliationSummary(comparison.sums.rows(), columns),
      ...lateNote(late),
      ...archivedLinesNote(archived, comparison.archivedBefore),
    ];
    if (differences > 0 || archived.count > 0) throw new CommandFailed(...summary);
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
  { file, input, key, mappings, decimalComma, dateOrder, rules: { currency } }: ReconcileRun,
  staging: ReconcileStaging,
  shown: Progress,
): Promise<{ columns: FileColumns } & StagedFile> {
  const rules = { key, decimalComma, dateOrder, currency, fields: [] as readonly ComparableField[] };
  let columns: FileColumns | undefined;
  const onColumns = (found: FileColumns) => {
    columns = found;
    rules.fields = found.fields;
    printNote(...ignoredNote(found));
  };
  const report = faultyLineReport(shown);
  const staged = await openTable(input)
    .then(({ encoding, table, bytes }) => {
      printNote(...encodingNote(encoding), ...aboveNote(table));
      return stageFile(readCsv(bytes, reconcileHeader(table, mappings, key, onColumns)), rules, staging, {
        onFault: (line, fault) => report.add(explainLine(line, fault, rules)),
        onProgress: (lines) => shown.show(`read ${lineCount(lines)}`),
      });
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
  return { ...staged, columns: columns as FileColumns };
}

async function readTransactions(
  { transactions, explain }: ReconcileRun,
  comparison: FileComparison,
  shown: Progress,
): Promise<void> {
  let read = 0;
  const startAgain = (restart: ExportRestart) => {
    shown.note(restartNote(restart));
    comparison.clearTransactions();
  };
  const onArchived = (archivedBefore: string | undefined) => {
    comparison.archivedBefore = archivedBefore;
  };
  const noted = async function* () {
    for await (const transaction of transactions(startAgain, onArchived)) {
      read++;
      yield transaction;
    }
  };
  try {
    await comparison.readTransactions(noted(), (count) =>
      shown.show(`read ${counted(count, 'transaction')} of the account`),
    );
  } catch (error) {
    if (error instanceof StagingFailed) throw error;
    throw explain(error, read === 0 ? undefined : 'Nothing was compared.');
  }
}

async function printDifferences(
  { format: name, explain }: ReconcileRun,
  columns: FileColumns,
  comparison: FileComparison,
): Promise<{ count: number; late: Late; archived: ArchivedLines }> {
  const format = RECONCILE_FORMATS[name](columns);
  let count = 0;
  const late: Late = { count: 0, some: [] };
  const archived: ArchivedLines = { count: 0, some: [] };
  const lines = async function* () {
    yield format.head;
    const parts = comparison.differences(
      (transaction) => {
        if (late.count++ < MAX_NAMED) late.some.push(transaction);
      },
      (line) => {
        if (archived.count++ < MAX_NAMED) archived.some.push(line);
      },
    );
    for (const part of parts) {
      if (part.length > 0) yield format.lines(part);
      count += part.length;
    }
  };
  const isAllPrinted = await printLines(lines(), { exact: name === 'csv' }).catch((error) => {
    throw error instanceof StagingFailed ? error : explain(error, undefined);
  });
  if (!isAllPrinted) throw new CommandFailed();
  return { count, late, archived };
}
