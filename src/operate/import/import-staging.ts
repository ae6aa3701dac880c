import type { AccountTransaction } from '../../ledger/transaction.ts';

export interface ImportedTransaction extends AccountTransaction {
  line: number;
}

export interface LineToRecord extends ImportedTransaction {
  /** True if an earlier line has the same transaction as pending. Only the later line is recorded. */
  replacesPending: boolean;
}

/** The lines are sorted on disk, so memory use does not grow with the file. */
export interface ImportStaging {
  stage(transactions: readonly ImportedTransaction[]): void;
  /** Call this between the last `stage` and the first read. */
  finish(): void;
  readonly lineCount: number;
  readonly toRecordCount: number;
  accountsAfter(account: string, limit: number): string[];
  linesOf(account: string, after: LinePosition, limit: number): ImportedTransaction[];
  repeatedLines(
    lastAccount: string,
    after: LinePosition & { account: string },
    limit: number,
  ): ImportedTransaction[];
  omit(lines: readonly number[]): void;
  markReplacing(lines: readonly number[]): void;
  inRecordingOrder(): Iterator<LineToRecord>;
  close(): void;
}

export interface LinePosition {
  reference: string;
  line: number;
}
