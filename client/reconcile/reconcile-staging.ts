/** `content` has the compared values as JSON, so that a line and its transaction have equal texts. */
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
  /** Rows are sorted by key and content. If both are equal, lines come before transactions. */
  rowsOf(pass: number, forms: readonly number[]): Iterable<StagedRow>;
  stageUnequal(rows: readonly StagedRow[]): void;
  /** Sorted by key. For each key: its first line, first transaction, second line, and so on. */
  unequalRows(): Iterable<StagedRow>;
  close(): void;
}
