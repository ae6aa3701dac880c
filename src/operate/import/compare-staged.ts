import { PENDING } from '../../../values/status.ts';
import { compareWithRecorded, type FieldDifference } from '../../ledger/record/record.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import type { ImportConnection } from './import-connection.ts';
import type { ImportedTransaction, ImportStaging } from './import-staging.ts';

const ACCOUNTS_PER_QUERY = 500;
const LINES_PER_QUERY = 1000;

export interface ImportConflict {
  line: number;
  differences: FieldDifference[];
  contradictedLine: number | null;
}

export interface ImportCounts {
  recorded: number;
  changed: number;
  unchanged: number;
  conflicts: number;
}

export type RecordedReader = Pick<ImportConnection, 'accountsInUse' | 'retrieveTransactions'>;

export const NOTHING_RECORDED: RecordedReader = {
  accountsInUse: async () => new Set(),
  retrieveTransactions: async () => [],
};

export async function compareStaged(
  staging: ImportStaging,
  recorded: RecordedReader,
  report: { onConflict(conflict: ImportConflict): Promise<void>; onProgress(lines: number): void },
): Promise<ImportCounts> {
  const comparison = comparisonOf(staging, report.onConflict);
  let last = '';
  for (;;) {
    const accounts = staging.accountsAfter(last, ACCOUNTS_PER_QUERY);
    const [first] = accounts;
    if (first === undefined) break;
    last = accounts.at(-1) as string;
    const inUse = await recorded.accountsInUse(accounts);
    for (const account of accounts) {
      if (!inUse.has(account)) continue;
      for (const lines of chunks((after) => staging.linesOf(account, after, LINES_PER_QUERY))) {
        const references = new Set(lines.map(({ reference }) => reference));
        await comparison.add(lines, await recorded.retrieveTransactions(account, [...references]));
        report.onProgress(comparison.comparedLines());
      }
    }
    for (const lines of chunks((after) => staging.repeatedLines(last, after, LINES_PER_QUERY), first)) {
      const newAccountLines = lines.filter(({ account }) => !inUse.has(account));
      await comparison.add(newAccountLines, []);
      report.onProgress(comparison.comparedLines());
    }
  }
  await comparison.end();
  return comparison.counts();
}

function* chunks(
  read: (after: { account: string; reference: string; line: number }) => ImportedTransaction[],
  account = '',
): Generator<ImportedTransaction[]> {
  let after = { account, reference: '', line: 0 };
  for (;;) {
    const lines = read(after);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines;
    after = last;
  }
}

const isAfterFinal = (recorded: Transaction | undefined, { status }: Transaction) =>
  status === PENDING && recorded?.status !== PENDING;

/** The lines must be added in the order of account and reference. */
function comparisonOf(staging: ImportStaging, onConflict: (conflict: ImportConflict) => Promise<void>) {
  const counts: ImportCounts = { recorded: 0, changed: 0, unchanged: 0, conflicts: 0 };
  let comparedLines = 0;
  let last: Pick<ImportedTransaction, 'account' | 'reference'> | undefined;
  let current: Transaction | undefined;
  let currentLine: number | null = null;
  /**
   * Pending lines whose transaction is recorded as final. They are right if a later line has this final
   * state.
   */
  let earlier: { line: ImportedTransaction; differences: FieldDifference[] }[] = [];

  async function reportConflict(conflict: ImportConflict): Promise<void> {
    counts.conflicts++;
    await onConflict(conflict);
  }

  async function endEarlier(isRight: (line: ImportedTransaction) => boolean): Promise<void> {
    const lines = earlier;
    earlier = [];
    for (const { line, differences } of lines) {
      if (isRight(line)) counts.unchanged++;
      else await reportConflict({ line: line.line, differences, contradictedLine: null });
    }
  }

  async function compare(line: ImportedTransaction, omitted: number[], replacing: number[]): Promise<void> {
    const contradictedLine = currentLine;
    const comparison = current && compareWithRecorded(current, line);
    if (comparison?.outcome === 'conflict') {
      const { differences } = comparison;
      omitted.push(line.line);
      if (contradictedLine === null && isAfterFinal(current, line)) earlier.push({ line, differences });
      else await reportConflict({ line: line.line, differences, contradictedLine });
      return;
    }
    counts[comparison?.outcome ?? 'recorded']++;
    if (comparison?.outcome === 'unchanged') {
      omitted.push(line.line);
      await endEarlier((pending) => compareWithRecorded(pending, line).outcome === 'changed');
      return;
    }
    if (comparison !== undefined && contradictedLine !== null) {
      omitted.push(contradictedLine);
      replacing.push(line.line);
    }
    current = line;
    currentLine = line.line;
  }

  return {
    comparedLines: () => comparedLines,
    counts: () => ({ ...counts, recorded: counts.recorded + staging.lineCount - comparedLines }),

    /** Call this after the last `add`. */
    end: () => endEarlier(() => false),

    /** If `recorded` has transactions, `lines` and `recorded` must be of the same account. */
    async add(lines: readonly ImportedTransaction[], recorded: readonly Transaction[]): Promise<void> {
      const found = new Map(recorded.map((one) => [one.reference, one]));
      const omitted: number[] = [];
      const replacing: number[] = [];
      for (const line of lines) {
        if (line.reference !== last?.reference || line.account !== last.account) {
          await endEarlier(() => false);
          last = line;
          current = found.get(line.reference);
          currentLine = null;
        }
        await compare(line, omitted, replacing);
      }
      comparedLines += lines.length;
      staging.omit(omitted);
      staging.markReplacing(replacing);
    },
  };
}
