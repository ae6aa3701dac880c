import type { AccountTransaction } from '../transaction.ts';

/** A transaction of an import with the line that it came from, counted from 1. */
export interface ImportedTransaction extends AccountTransaction {
  line: number;
}

/** A line that is to be recorded. */
export interface StagedTransaction extends ImportedTransaction {
  /** Whether it stands for an earlier line too: one of the same payment, pending and not recorded yet. */
  replacesPending: boolean;
}

/**
 * Where the checked lines of an import wait, outside of the database: private to the process, gone with it, sorted on
 * the disk, so that memory stays flat.
 *
 * Every method throws StagingFailed where the disk does not do its part.
 */
export interface ImportStaging {
  stage(transactions: readonly ImportedTransaction[]): void;
  /** Makes the lines ready to be read by account and reference. Nothing is staged afterwards. */
  finish(): void;
  readonly lineCount: number;
  /** How many of them were not omitted. */
  readonly toRecordCount: number;
  /** The first accounts after one, in their order. */
  accountsAfter(account: string, limit: number): string[];
  /** The lines of an account after a position, by reference and line. */
  linesOf(account: string, after: LinePosition, limit: number): ImportedTransaction[];
  /** The lines of the accounts from `first` to `last` that share account and reference with another line, from a position on. */
  repeatedLines(
    range: { first: string; last: string },
    after: LinePosition & { account: string },
    limit: number,
  ): ImportedTransaction[];
  /** Takes lines out of what is to be recorded. */
  omit(lines: readonly number[]): void;
  /** Marks lines that stand for an earlier, pending one. */
  markReplacing(lines: readonly number[]): void;
  /** What is to be recorded, by account, createdAt and reference. */
  inRecordingOrder(): Iterator<StagedTransaction>;
  close(): void;
}

export interface LinePosition {
  reference: string;
  line: number;
}

/** The disk of the temporary files is full or fails: a sentence for the user. */
export class StagingFailed extends Error {
  override readonly name = 'StagingFailed';
}
