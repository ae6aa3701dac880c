import { counted, lineCount, number } from '../../../values/counted.ts';
import { causeOf } from '../../../values/faulty-line.ts';
import type { SourceLine } from '../../../values/source-line.ts';
import { faultyLineReport } from '../../../values/terminal/faulty-lines.ts';
import { printNote, progress } from '../../../values/terminal/output.ts';
import { onStopSignal, type StopReason } from '../../../values/terminal/stop-signals.ts';
import { declaredAccounts } from '../../accounts/account.ts';
import type { Config } from '../../config/settings.ts';
import { archivedFinder } from '../../ledger/archives/archives.ts';
import { RefusedRecording } from '../../ledger/record/record.ts';
import { RecognisedStatuses } from '../../ledger/recorded-statuses.ts';
import { compareStaged, type ImportConflict, NOTHING_RECORDED } from '../../operate/import/compare-staged.ts';
import type { ImportConnection } from '../../operate/import/import-connection.ts';
import type { ImportStaging } from '../../operate/import/import-staging.ts';
import { type RecordedImport, recordStaged } from '../../operate/import/record-staged.ts';
import { SqliteStaging } from '../../operate/import/sqlite/import-staging.ts';
import { type StageRules, stageLines } from '../../operate/import/stage-lines.ts';
import type { Store } from '../../store/store.ts';
import { openMigrated, openUnmigrated, printDatabase } from '../with-store.ts';
import {
  type Checked,
  explainConflict,
  explainFailedCheck,
  explainMissingRights,
  explainUnfinished,
  reportAssignedReferences,
  reportImport,
  reportNothingRecorded,
} from './import-report.ts';

interface ImportRun {
  file: string;
  lines: AsyncIterable<SourceLine[]>;
  rules: StageRules;
  assignedReferences(): number;
  settings: Config;
  skipInvalid: boolean;
  dryRun: boolean;
}

export async function runImport(run: ImportRun): Promise<void> {
  const opened = await openToCompare(run);
  let { store } = opened;
  let staging: ImportStaging | undefined;
  try {
    staging = new SqliteStaging();
    const checked = await check(run, staging, opened).catch((error) => {
      throw explainFailedCheck(error, run.file);
    });
    if (run.dryRun || (checked.faultyLines > 0 && !run.skipInvalid))
      return reportNothingRecorded(run, checked);
    if (checked.missingRights.length > 0) throw explainMissingRights(checked.missingRights);
    await reportAssignedReferences(run.assignedReferences());
    printDatabase(run.settings);
    store ??= await openMigrated(run.settings);
    await record(run, staging, store, checked);
  } finally {
    staging?.close();
    await store?.close();
  }
}

interface Opened {
  store: Store | null;
  isEmpty: boolean;
  missingRights: readonly string[];
}

async function openToCompare({ settings, dryRun }: ImportRun): Promise<Opened> {
  const opened = await openUnmigrated(settings);
  if ('store' in opened) return { store: opened.store, isEmpty: false, missingRights: [] };
  const { pending, isEmpty, missingRights = [] } = opened;
  if (isEmpty) return { store: null, isEmpty, missingRights };
  if (!dryRun) return { store: await openMigrated(settings), isEmpty, missingRights: [] };
  printNote(
    `The database needs the migrations ${pending.join(', ')}, and a dry run does not migrate: no line was compared with recorded transactions. Run "transactions migrate" first, and check again.`,
  );
  return { store: null, isEmpty, missingRights };
}

async function check(
  run: ImportRun,
  staging: ImportStaging,
  { store, isEmpty, missingRights }: Opened,
): Promise<Checked> {
  const shown = progress();
  const report = faultyLineReport(shown);
  let connection: ImportConnection | undefined;
  const mustBeMigrated = store === null && !isEmpty;
  const declared =
    run.settings.accounts === 'any' || mustBeMigrated
      ? null
      : declaredAccounts(store ?? { listAccounts: async () => [] }, () => performance.now());
  const recorded = async () => {
    connection ??= await store?.openImport();
    return connection ?? NOTHING_RECORDED;
  };
  try {
    const rules = { ...run.rules, ...(store && { recorded: await recordedStatuses(run, store) }) };
    const { lines, faultyLines } = await stageLines(run.lines, rules, staging, {
      retrieveTransactions: async (account, references) =>
        (await recorded()).retrieveTransactions(account, references),
      findArchived: archivedFinder(store ?? { readArchive: async () => undefined }, Date.now),
      undeclared: async (accounts) => (await declared?.undeclared(accounts)) ?? new Set(),
      onFault: (fault) => report.add(fault),
      onProgress: (checked) => shown.show(`checked ${lineCount(checked)}`),
    });
    shown.show(`sorting ${lineCount(staging.lineCount)}`);
    staging.finish();
    const counts = await compareStaged(staging, await recorded(), {
      onConflict: conflictReporter(report),
      onProgress: (compared) => shown.show(`compared ${number(compared)} of ${lineCount(staging.lineCount)}`),
    });
    return {
      lines,
      counts,
      faultyLines: faultyLines + counts.conflicts,
      missingRights: (await connection?.missingRights?.()) ?? missingRights,
    };
  } finally {
    shown.clear();
    await report.end();
    await connection?.close();
  }
}

async function recordedStatuses({ rules }: ImportRun, store: Store): Promise<RecognisedStatuses> {
  const statuses = new RecognisedStatuses(rules.statuses, store);
  await statuses.read();
  return statuses;
}

const conflictReporter = (report: ReturnType<typeof faultyLineReport>) => (conflict: ImportConflict) =>
  report.add({ line: conflict.line, place: null, cause: 'contradicts', detail: explainConflict(conflict) });

async function record(run: ImportRun, staging: ImportStaging, store: Store, checked: Checked): Promise<void> {
  const shown = progress();
  const report = faultyLineReport(shown);
  const total = staging.toRecordCount;
  shown.show(`sorting ${counted(total, 'transaction')}`);
  let stopped = null as StopReason | null;
  const onSignal = (reason: StopReason) => {
    stopped = reason;
    shown.note(`${reason}: the import ends after the current transaction. A second signal ends it at once.`);
  };
  const forget = onStopSignal(onSignal, { again: 'ends the process' });
  let connection: ImportConnection | undefined;
  let recorded: RecordedImport;
  try {
    connection = await store.openImport();
    recorded = await recordStaged(staging.inRecordingOrder(), connection, {
      isStopped: () => stopped !== null,
      onConflict: conflictReporter(report),
      onRefused: (line, error) => {
        const detail =
          error instanceof RefusedRecording
            ? `${error.fault.field} ${error.fault.detail}`
            : `the database refuses it: ${(error as Error).message}`;
        return report.add({ line, place: null, cause: causeOf(detail), detail });
      },
      onProgress: (count) => shown.show(`recorded ${number(count)} of ${counted(total, 'transaction')}`),
    });
  } finally {
    forget();
    shown.clear();
    await report.end();
    await connection?.close();
  }
  if (recorded.end !== 'completed')
    throw explainUnfinished(recorded, run.assignedReferences(), stopped, total);
  reportImport(run, checked, recorded);
}
