import { formatTimestamp } from '../../../values/calendar.ts';
import { counted, lineCount, number } from '../../../values/counted.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import { sentence } from '../../../values/sentence.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { printManyNotes, printResult } from '../../../values/terminal/output.ts';
import { explainStaging, explainUnreadable } from '../../../values/terminal/read-input.ts';
import type { StopReason } from '../../../values/terminal/stop-signals.ts';
import { StagingFailed } from '../../../values/terminal/temporary-database.ts';
import { contradictsFinalStatus } from '../../ledger/record/record.ts';
import type { ImportConflict, ImportCounts } from '../../operate/import/compare-staged.ts';
import type { RecordedImport } from '../../operate/import/record-staged.ts';

export interface Checked {
  lines: number;
  counts: ImportCounts;
  faultyLines: number;
  missingRights: readonly string[];
}

const outcomesOf = ({ recorded, changed, unchanged }: ImportCounts, faulty: number) =>
  `${number(recorded)} new, ${number(changed)} changed, ${number(unchanged)} unchanged, ${number(faulty)} faulty`;

export function reportImport(
  { skipInvalid }: { skipInvalid: boolean },
  checked: Checked,
  { counts, refused }: RecordedImport,
): void {
  const faulty = checked.faultyLines + counts.conflicts + refused;
  const all = { ...counts, unchanged: counts.unchanged + checked.counts.unchanged };
  printResult(`Imported ${lineCount(checked.lines)}: ${outcomesOf(all, faulty)}.`);
  const causes: string[] = [];
  if (counts.conflicts > 0 && !skipInvalid) {
    causes.push(
      `${lineCount(counts.conflicts)} ${counts.conflicts === 1 ? 'contradicts' : 'contradict'} transactions that others recorded during this import, as reported above.`,
    );
  }
  if (refused > 0) causes.push(`The database refused ${lineCount(refused)}, as reported above.`);
  if (causes.length > 0) throw new CommandFailed(`${causes.join(' ')} All others are recorded.`);
}

export function reportNothingRecorded(
  { dryRun, skipInvalid }: { dryRun: boolean; skipInvalid: boolean },
  { lines, counts, faultyLines, missingRights }: Checked,
): void {
  printResult(
    dryRun
      ? `Checked ${lineCount(lines)}: ${outcomesOf(counts, faultyLines)}. Nothing was recorded, because this is a dry run.`
      : `Read ${lineCount(lines)}, ${number(faultyLines)} of them faulty. Nothing was recorded.`,
  );
  const causes: string[] = [];
  if (faultyLines > 0 && !skipInvalid) {
    const faulty = `${lineCount(faultyLines)} ${faultyLines === 1 ? 'is' : 'are'} faulty, as reported above.`;
    causes.push(
      dryRun
        ? faulty
        : `${faulty} Correct ${faultyLines === 1 ? 'it' : 'them'}, or record the valid lines with --skip-invalid.`,
    );
  }
  if (dryRun && missingRights.length > 0) causes.push(`An import would fail: ${lackOf(missingRights)}`);
  if (causes.length > 0) throw new CommandFailed(...causes);
}

export const explainMissingRights = (rights: readonly string[]) =>
  new CommandFailed(`Nothing was recorded: ${lackOf(rights)}`);

const lackOf = (rights: readonly string[]) =>
  `the user of the database lacks ${rights.join(', ')}. Import as the role that owns the tables.`;

export async function reportAssignedReferences(assigned: number): Promise<void> {
  if (assigned === 0) return;
  await printManyNotes(
    `${lineCount(assigned)} had no reference and got a new one. Importing the file again would record transactions without a reference again.`,
  );
}

export function explainConflict({ differences, contradictedLine }: ImportConflict): string {
  const found = differences.map(
    ({ field, recorded, given }) =>
      `${field} is ${JSON.stringify(recorded)} there and ${JSON.stringify(given)} here`,
  );
  const other =
    contradictedLine === null
      ? 'the transaction recorded under this reference'
      : `line ${contradictedLine}, which has the same reference`;
  const rule = contradictsFinalStatus(differences) ? '; a final status never changes' : '';
  return `contradicts ${other}: ${found.join('; ')}${rule}`;
}

export function explainFailedCheck(error: unknown, file: string): unknown {
  if (error instanceof StoreUnavailable)
    return new CommandFailed(`Nothing was recorded: ${sentence(error.message)}`);
  if (error instanceof StagingFailed)
    return new CommandFailed(`Nothing was recorded: ${explainStaging(error)}`);
  return explainUnreadable(error, file, 'imported', 'Nothing was recorded.');
}

export function explainUnfinished(
  { end, transactions, last }: RecordedImport,
  assignedReferences: number,
  stopped: StopReason | null,
  total: number,
): unknown {
  const failure = typeof end === 'object' ? end.failure : undefined;
  const known = failure instanceof StoreUnavailable || failure instanceof StagingFailed;
  if (failure !== undefined && !known) return failure;
  const cause =
    failure === undefined
      ? `Stopped by ${stopped}.`
      : failure instanceof StagingFailed
        ? `The import ended early: ${explainStaging(failure)}`
        : `The import ended early: ${sentence(failure.message)}`;
  // The last commit may have succeeded although its response was lost, so the count is a minimum.
  const atLeast = failure instanceof StoreUnavailable ? 'At least ' : '';
  const place =
    last === undefined
      ? ''
      : `, up to ${formatTimestamp(last.createdAtMs)} of account ${quote(last.account)}`;
  const again =
    assignedReferences === 0
      ? 'Import the file again to record the rest.'
      : `Importing the file again records the rest, but duplicates recorded transactions that have no reference in the file (${lineCount(assignedReferences)}).`;
  return new CommandFailed(
    `${cause} ${atLeast}${number(transactions)} of ${counted(total, 'transaction')} ${total === 1 ? 'is' : 'are'} recorded${place}. ${again}`,
  );
}
