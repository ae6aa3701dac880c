/** Lines with equal values have equal texts in `content`. */
export interface StagedLine {
  line: number;
  key: string | null;
  form: number;
  content: string;
}

/** `rest` has the values that are not in `content`. */
export interface StagedTransaction {
  key: string | null;
  content: string;
  rest: string;
}

export type StagedRow =
  | { line: number; key: string | null; content: string; rest: null }
  | { line: null; key: string | null; content: string; rest: string };

/** Every method throws StagingFailed if the disk fails. */
export interface ReconcileStaging {
  stageLines(lines: readonly StagedLine[]): void;
  replaceKeys(keyOf: (key: string) => string): void;
  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void;
  clearTransactions(): void;
  /** The rows are sorted by key and content. Lines come before transactions with equal key and content. */
  rowsOf(pass: number, forms: readonly number[]): Iterable<StagedRow>;
  stageUnequal(rows: readonly StagedRow[]): void;
  /**
   * Sorted by key. The rows of a key are its first line, its first transaction, its second line and so on.
   */
  unequalRows(): Iterable<StagedRow>;
  close(): void;
}
