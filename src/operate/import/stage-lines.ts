import { type ParseRules, parseTransaction } from '../../ledger/record/parse-transaction.ts';
import type { ImportedTransaction, ImportStaging } from './import-staging.ts';
import type { SourceLine } from './source-line.ts';

const LINES_PER_STAGE = 500;

export interface StagedLines {
  lines: number;
  faultyLines: number;
}

export interface StageReport {
  /** `field` is null if the fault concerns the whole line. */
  onFault(line: number, field: string | null, detail: string): Promise<void>;
  onProgress(lines: number): void;
}

/** Checks each line as it is read, stages the valid ones and reports the faults of the others. */
export async function stageLines(
  batches: AsyncIterable<readonly SourceLine[]>,
  rules: ParseRules,
  staging: ImportStaging,
  report: StageReport,
): Promise<StagedLines> {
  const counts: StagedLines = { lines: 0, faultyLines: 0 };
  let valid: ImportedTransaction[] = [];
  for await (const batch of batches) {
    for (const source of batch) {
      counts.lines++;
      const parsed = 'fault' in source ? source : parseTransaction(source.record, rules);
      if ('transaction' in parsed) {
        valid.push({ ...parsed.transaction, line: source.line });
        continue;
      }
      counts.faultyLines++;
      if ('fault' in parsed) {
        await report.onFault(source.line, null, parsed.fault);
        continue;
      }
      const { listed, unlisted, unlistedNote } = parsed.faults;
      for (const { field, detail } of listed) await report.onFault(source.line, field, detail);
      if (unlisted > 0) await report.onFault(source.line, null, unlistedNote);
    }
    if (valid.length >= LINES_PER_STAGE) {
      staging.stage(valid);
      valid = [];
    }
    report.onProgress(counts.lines);
  }
  staging.stage(valid);
  return counts;
}
