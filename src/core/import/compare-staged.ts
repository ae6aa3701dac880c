import { type ParseRules, parseTransaction } from '../parse-transaction.ts';
import { compareWithRecorded, type Difference } from '../record-transaction.ts';
import type { ImportConnection } from '../store.ts';
import type { Transaction } from '../transaction.ts';
import type { ImportedTransaction, ImportStaging } from './import-staging.ts';
import type { SourceLine } from './source-line.ts';

const STAGED_AT_ONCE = 500;
const ACCOUNTS_AT_ONCE = 500;
const LINES_AT_ONCE = 1000;

/** A line that contradicts what is recorded, or an earlier line of the same import. */
export interface ImportConflict {
  line: number;
  differences: Difference[];
  /** The earlier line, or null where it is the recorded transaction. */
  contradictedLine: number | null;
}

export interface ImportCounts {
  recorded: number;
  changed: number;
  unchanged: number;
  conflicts: number;
}

export interface StagedLines {
  lines: number;
  faultyLines: number;
}

/** Checks each line by its rule while it comes, and stages the good ones. */
export async function stageLines(
  batches: AsyncIterable<readonly SourceLine[]>,
  rules: ParseRules,
  staging: ImportStaging,
  report: {
    onFault(line: number, field: string | null, detail: string): Promise<void>;
    onProgress(lines: number): void;
  },
): Promise<StagedLines> {
  const counts: StagedLines = { lines: 0, faultyLines: 0 };
  let good: ImportedTransaction[] = [];
  for await (const batch of batches) {
    for (const source of batch) {
      counts.lines++;
      const parsed = 'fault' in source ? source : parseTransaction(source.record, rules);
      if ('transaction' in parsed) {
        good.push({ ...parsed.transaction, line: source.line });
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
    if (good.length >= STAGED_AT_ONCE) {
      staging.stage(good);
      good = [];
    }
    report.onProgress(counts.lines);
  }
  staging.stage(good);
  return counts;
}

/** What a check reads of the database. */
export type RecordedReader = Pick<ImportConnection, 'accountsInUse' | 'retrieveTransactions'>;

/** A database that does not exist yet, or holds nothing. */
export const NOTHING_RECORDED: RecordedReader = {
  accountsInUse: async () => new Set(),
  retrieveTransactions: async () => [],
};

/**
 * Compares the staged lines with each other, in their order, and with what is recorded. Only reads the database.
 * From then on, what is staged and not omitted is to be recorded, each payment once.
 *
 * Accounts that hold nothing have nothing to compare with: of theirs, only repeated references are read.
 */
export async function compareStaged(
  staging: ImportStaging,
  recorded: RecordedReader,
  report: { onConflict(conflict: ImportConflict): Promise<void>; onProgress(lines: number): void },
): Promise<ImportCounts> {
  const comparison = new Comparison(staging, report.onConflict);
  let last = '';
  for (;;) {
    const accounts = staging.accountsAfter(last, ACCOUNTS_AT_ONCE);
    const [first] = accounts;
    if (first === undefined) break;
    last = accounts.at(-1) as string;
    const inUse = await recorded.accountsInUse(accounts);
    for (const account of accounts) {
      if (!inUse.has(account)) continue;
      for (const lines of chunks((after) => staging.linesOf(account, after, LINES_AT_ONCE))) {
        const references = new Set(lines.map(({ reference }) => reference));
        await comparison.add(lines, await recorded.retrieveTransactions(account, [...references]));
        report.onProgress(comparison.comparedLines);
      }
    }
    const range = { first, last };
    for (const lines of chunks((after) => staging.repeatedLines(range, after, LINES_AT_ONCE), first)) {
      const ofUnused = lines.filter(({ account }) => !inUse.has(account));
      await comparison.add(ofUnused, []);
      report.onProgress(comparison.comparedLines);
    }
  }
  return comparison.counts;
}

/** Reads on from the last line of each chunk, until there is none. */
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

/** The lines of one account and reference, compared one after the other. */
class Comparison {
  readonly #staging: ImportStaging;
  readonly #onConflict: (conflict: ImportConflict) => Promise<void>;
  readonly #counts = { recorded: 0, changed: 0, unchanged: 0, conflicts: 0 };
  #account: string | undefined;
  #reference: string | undefined;
  /** What is recorded once the lines so far are. */
  #current: Transaction | undefined;
  /** The line that `#current` comes from, or null where it is in the database. */
  #currentLine: number | null = null;
  comparedLines = 0;

  constructor(staging: ImportStaging, onConflict: (conflict: ImportConflict) => Promise<void>) {
    this.#staging = staging;
    this.#onConflict = onConflict;
  }

  /** Lines that were never compared are new. */
  get counts(): ImportCounts {
    return {
      ...this.#counts,
      recorded: this.#counts.recorded + this.#staging.lineCount - this.comparedLines,
    };
  }

  /** Takes the next lines, of one account where something is recorded under their references. */
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
