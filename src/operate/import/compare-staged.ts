import { compareWithRecorded, type FieldDifference } from '../../ledger/record/record.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import type { ImportConnection } from './import-connection.ts';
import type { ImportedTransaction, ImportStaging } from './import-staging.ts';

const ACCOUNTS_PER_QUERY = 500;
const LINES_PER_QUERY = 1000;

/** A line that contradicts a recorded transaction, or an earlier line of the same import. */
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

/**
 * In an account without recorded transactions, only lines that share a reference are read. Afterwards, each
 * transaction to record has exactly one line that is not omitted.
 */
export async function compareStaged(
  staging: ImportStaging,
  recorded: RecordedReader,
  report: { onConflict(conflict: ImportConflict): Promise<void>; onProgress(lines: number): void },
): Promise<ImportCounts> {
  const comparison = new Comparison(staging, report.onConflict);
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
        report.onProgress(comparison.comparedLines);
      }
    }
    for (const lines of chunks((after) => staging.repeatedLines(last, after, LINES_PER_QUERY), first)) {
      const newAccountLines = lines.filter(({ account }) => !inUse.has(account));
      await comparison.add(newAccountLines, []);
      report.onProgress(comparison.comparedLines);
    }
  }
  return comparison.counts;
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

class Comparison {
  readonly #staging: ImportStaging;
  readonly #onConflict: (conflict: ImportConflict) => Promise<void>;
  readonly #counts = { recorded: 0, changed: 0, unchanged: 0, conflicts: 0 };
  #account: string | undefined;
  #reference: string | undefined;
  /** The state of the transaction after the lines that were compared so far. */
  #current: Transaction | undefined;
  #currentLine: number | null = null;
  comparedLines = 0;

  constructor(staging: ImportStaging, onConflict: (conflict: ImportConflict) => Promise<void>) {
    this.#staging = staging;
    this.#onConflict = onConflict;
  }

  /** Lines that were not compared are new transactions. */
  get counts(): ImportCounts {
    return {
      ...this.#counts,
      recorded: this.#counts.recorded + this.#staging.lineCount - this.comparedLines,
    };
  }

  /** If `recorded` has transactions, all lines belong to one account. */
  async add(lines: readonly ImportedTransaction[], recorded: readonly Transaction[]): Promise<void> {
    const found = new Map(recorded.map((one) => [one.reference, one]));
    const omitted: number[] = [];
    const replacing: number[] = [];
    for (const line of lines) {
      if (line.reference !== this.#reference || line.account !== this.#account) {
        this.#account = line.account;
        this.#reference = line.reference;
        this.#current = found.get(line.reference);
        this.#currentLine = null;
      }
      const conflict = this.#compare(line, omitted, replacing);
      if (conflict !== undefined) await this.#onConflict(conflict);
    }
    this.comparedLines += lines.length;
    this.#staging.omit(omitted);
    this.#staging.markReplacing(replacing);
  }

  #compare(line: ImportedTransaction, omitted: number[], replacing: number[]): ImportConflict | undefined {
    const contradictedLine = this.#currentLine;
    if (this.#current === undefined) {
      this.#counts.recorded++;
    } else {
      const comparison = compareWithRecorded(this.#current, line);
      if (comparison.outcome === 'conflict') {
        this.#counts.conflicts++;
        omitted.push(line.line);
        return { line: line.line, differences: comparison.differences, contradictedLine };
      }
      this.#counts[comparison.outcome]++;
      if (comparison.outcome === 'unchanged') {
        omitted.push(line.line);
        return undefined;
      }
      if (contradictedLine !== null) {
        omitted.push(contradictedLine);
        replacing.push(line.line);
      }
    }
    this.#current = line;
    this.#currentLine = line.line;
    return undefined;
  }
}
