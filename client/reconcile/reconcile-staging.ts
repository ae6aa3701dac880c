/** A line of the file. Values are compared as the text `content`; equal texts are equal values. */
export interface StagedLine {
  line: number;
  /** The value of the key field; null if the line has none. */
  key: string | null;
  /** The form of its times: a small whole number. */
  form: number;
  content: string;
}

/** A transaction of the account. `rest` has the values that `content` lacks. */
export interface StagedTransaction {
  key: string | null;
  content: string;
  rest: string;
}

/** A line of the file, or a transaction, whose `line` is null. */
export type StagedRow =
  | { line: number; key: string | null; content: string; rest: null }
  | { line: null; key: string | null; content: string; rest: string };

/**
 * Holds a file and the transactions of an account while they are compared. It is private to the process and
 * ends with it. Rows are sorted on the disk, so memory use does not grow with their number.
 *
 * Every method throws StagingFailed if the disk fails.
 */
export interface ReconcileStaging {
  stageLines(lines: readonly StagedLine[]): void;
  /** Replaces the key of each line that has one. */
  replaceKeys(keyOf: (key: string) => string): void;
  /** Stages transactions for a pass. Passes count from 0. */
  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void;
  /** Removes all transactions. */
  clearTransactions(): void;
  /**
   * The lines of some forms and the transactions of a pass, ordered by key and content. Of equal rows, the
   * lines come first in their order, then the transactions in the order of staging.
   */
  rowsOf(pass: number, forms: readonly number[]): Iterable<StagedRow>;
  stageUnequal(rows: readonly StagedRow[]): void;
  /**
   * All unequal rows, by key. Within a key, lines and transactions alternate, each in the order of their
   * content: the first line, the first transaction, the second line, and so on.
   */
  unequalRows(): Iterable<StagedRow>;
  close(): void;
}
