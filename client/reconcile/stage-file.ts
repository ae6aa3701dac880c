import type { SourceLine } from '../../values/source-line.ts';
import type { ComparableField } from './compared-fields.ts';
import type { WrittenAmount } from './file-values.ts';
import { type FaultyValue, type LineRules, parseLine } from './parse-line.ts';
import type { ReconcileStaging, StagedLine } from './reconcile-staging.ts';
import { opposedForm, type Pass, passesOf, timesFormOf } from './times-form.ts';

export interface StagedFile {
  lines: number;
  faultyLines: number;
  passes: Pass[];
}

/** `opposedLine` is the number of a line whose form forbids the form of this line (see `opposedForm`). */
export type LineFault =
  | { source: Extract<SourceLine, { fault: string }> }
  | { value: FaultyValue }
  | { opposedLine: number };

interface FileReport {
  onFault(line: number, fault: LineFault): Promise<void> | void;
  onProgress(lines: number): void;
}

const MAX_OPEN_LINES = 100_000;

type ReadLine = { staged: StagedLine; form: WrittenAmount['form']; open: FaultyValue | undefined };

export async function stageFile(
  batches: AsyncIterable<readonly SourceLine[]>,
  rules: LineRules,
  staging: ReconcileStaging,
  { onFault, onProgress }: FileReport,
): Promise<StagedFile> {
  const counts = { lines: 0, faultyLines: 0 };
  const firstLines = new Map<number, number>();
  let isKnown = false;
  const open: ReadLine[] = [];
  const refuseOpen = async () => {
    counts.faultyLines += open.length;
    for (const { staged, open: value } of open.splice(0))
      await onFault(staged.line, { value: value as FaultyValue });
  };
  for await (const batch of batches) {
    const valid: StagedLine[] = [];
    for (const source of batch) {
      counts.lines++;
      const read = readLine(source, rules, firstLines);
      if ('staged' in read) {
        if (read.form === 'known' && !isKnown) {
          isKnown = true;
          for (const { staged } of open.splice(0)) valid.push(staged);
        }
        if (read.open === undefined || isKnown) valid.push(read.staged);
        else if (open.push(read) > MAX_OPEN_LINES) await refuseOpen();
        continue;
      }
      counts.faultyLines++;
      for (const fault of read.faults) await onFault(source.line, fault);
    }
    staging.stageLines(valid);
    onProgress(counts.lines);
  }
  await refuseOpen();
  return { ...counts, passes: passesOf([...firstLines.keys()]) };
}

function readLine(
  source: SourceLine,
  rules: LineRules,
  firstLines: Map<number, number>,
): ReadLine | { faults: LineFault[] } {
  if ('fault' in source) return { faults: [{ source }] };
  const parsed = parseLine(source.record, rules);
  if ('faults' in parsed) return { faults: parsed.faults.map((value) => ({ value })) };
  const { key, values, form: amountForm, open } = parsed;
  const textOf = (field: ComparableField) => values[rules.fields.indexOf(field)];
  const form = timesFormOf(textOf('createdAt'), textOf('paidAt'));
  const opposed = opposedForm(form);
  const opposedLine = opposed === undefined ? undefined : firstLines.get(opposed);
  if (opposedLine !== undefined) return { faults: [{ opposedLine }] };
  if (!firstLines.has(form)) firstLines.set(form, source.line);
  const staged = { line: source.line, key, form, content: JSON.stringify(values) };
  return { staged, form: amountForm, open };
}
