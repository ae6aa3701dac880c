import type { AccountTransaction } from '../../ledger/transaction.ts';

/** A transaction of an import with its line in the file. Lines count from 1. */
export interface ImportedTransaction extends AccountTransaction {
  line: number;
}

export interface LineToRecord extends ImportedTransaction {
  /** True if this line completes a pending transaction of an earlier line that is not recorded. */
  replacesPending: boolean;
}

/**
 * Holds the checked lines of an import outside the database until they are recorded. The staging is private
 * to the process and ends with it. Lines are sorted on disk, so memory use does not grow with the file.
 *
 * Every method throws StagingFailed if the disk fails.
 */
export interface ImportStaging {
  stage(transactions: readonly ImportedTransaction[]): void;
  /** Sorts the lines by account and reference. Call it after the last `stage` and before the first read. */
  finish(): void;
  readonly lineCount: number;
  /** The number of lines that are not omitted. */
  readonly toRecordCount: number;
  /** The first accounts after `account`, in order. */
  accountsAfter(account: string, limit: number): string[];
  linesOf(account: string, after: LinePosition, limit: number): ImportedTransaction[];
  /** The lines after a position that share account and reference with another line, up to `lastAccount`. */
  repeatedLines(
    lastAccount: string,
    after: LinePosition & { account: string },
    limit: number,
  ): ImportedTransaction[];
  /** Marks lines that must not be recorded. */
  omit(lines: readonly number[]): void;
  markReplacing(lines: readonly number[]): void;
  /** The lines to record, by account, createdAt and reference. */
  inRecordingOrder(): Iterator<LineToRecord>;
  close(): void;
}

export interface LinePosition {
  reference: string;
  line: number;
}
