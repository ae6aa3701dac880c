/** A line of the file. Its values are compared as the text `content`: equal values have equal texts. */
export interface StagedLine {
  line: number;
  key: string | null;
  /** The form of the line's times: a small whole number. */
  form: number;
  content: string;
}

/** A transaction of the account. `rest` has the values that are not in `content`. */
export interface StagedTransaction {
  key: string | null;
  content: string;
  rest: string;
}

/** A line of the file or a transaction. A transaction has `line` null. */
export type StagedRow =
  | { line: number; key: string | null; content: string; rest: null }
  | { line: null; key: string | null; content: string; rest: string };

/**
 * Stores a file and the transactions of an account while they are compared. It is private to the process and
 * ends with it. Rows are sorted on the disk, so memory use does not grow with their number.
 *
 * Every method throws StagingFailed if the disk fails.
 */
export interface ReconcileStaging {
  stageLines(lines: readonly StagedLine[]): void;
  replaceKeys(keyOf: (key: string) => string): void;
  /** Stages transactions for a pass. Passes count from 0. */
  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void;
  clearTransactions(): void;
  /**
   * The lines of some forms and the transactions of a pass, by key and content. Among equal rows, the lines
   * come first, in file order, then the transactions, in staging order.
   */
  rowsOf(pass: number, forms: readonly number[]): Iterable<StagedRow>;
  stageUnequal(rows: readonly StagedRow[]): void;
  /**
   * All unequal rows by key. Within a key, lines and transactions alternate by content: the first line, the
   * first transaction, the second line, and so on.
   */
  unequalRows(): Iterable<StagedRow>;
  close(): void;
}
