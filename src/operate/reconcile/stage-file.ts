import { causeOf, type FaultyLine } from '../faulty-line.ts';
import type { SourceLine } from '../import/source-line.ts';
import type { ComparableField } from './compared-fields.ts';
import { type LineRules, parseLine } from './parse-line.ts';
import type { ReconcileStaging, StagedLine } from './reconcile-staging.ts';
import { opposedForm, type Pass, passesOf, timesFormOf } from './times-form.ts';

export interface StagedFile {
  lines: number;
  /** A file with faulty lines can't be compared. */
  faultyLines: number;
  /** The passes in which the lines are compared. */
  passes: Pass[];
}

interface FileReport {
  onFault(fault: FaultyLine): Promise<void>;
  onProgress(lines: number): void;
}

/** Checks each line as it is read, stages the valid ones and reports the faults of the others. */
export async function stageFile(
  batches: AsyncIterable<readonly SourceLine[]>,
  rules: LineRules,
  staging: ReconcileStaging,
  { onFault, onProgress }: FileReport,
): Promise<StagedFile> {
  const counts = { lines: 0, faultyLines: 0 };
  /** The first line of each form of times. */
  const firstLines = new Map<number, number>();
  for await (const batch of batches) {
    const valid: StagedLine[] = [];
    for (const source of batch) {
      counts.lines++;
      const read = readLine(source, rules, firstLines);
      if ('staged' in read) {
        valid.push(read.staged);
        continue;
      }
      counts.faultyLines++;
      for (const { field: place, detail } of read.faults)
        await onFault({ line: source.line, place, cause: causeOf(detail), detail });
    }
    staging.stageLines(valid);
    onProgress(counts.lines);
  }
  return { ...counts, passes: passesOf([...firstLines.keys()]) };
}

type ReadLine = { staged: StagedLine } | { faults: { field: ComparableField | null; detail: string }[] };

function readLine(source: SourceLine, rules: LineRules, firstLines: Map<number, number>): ReadLine {
  if ('fault' in source) return { faults: [{ field: null, detail: source.fault }] };
  const parsed = parseLine(source.record, rules);
  if ('faults' in parsed) return parsed;
  const { key, values } = parsed;
  const textOf = (field: ComparableField) => values[rules.fields.indexOf(field)];
  const form = timesFormOf(textOf('createdAt'), textOf('paidAt'));
  const opposed = opposedForm(form);
  const opposedLine = opposed === undefined ? undefined : firstLines.get(opposed);
  if (opposedLine !== undefined) {
    const detail = `has a day and a time, and line ${opposedLine} has the day where this line has the time; write only days or only times in a column`;
    return { faults: [{ field: null, detail }] };
  }
  if (!firstLines.has(form)) firstLines.set(form, source.line);
  return { staged: { line: source.line, key, form, content: JSON.stringify(values) } };
}
