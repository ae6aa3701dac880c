/** A line of the file. Values are compared as the text `content`; equal texts are equal values. */
export interface StagedLine {
  line: number;
  /** The value of the key field; null if the line has none. */
  key: string | null;
  /** The form of its times: a small whole number. */
  form: number;
  content: string;
  rest: null;
}

/** A transaction of the account. `rest` has the values that `content` lacks. */
export interface StagedTransaction {
  line: null;
  key: string | null;
  content: string;
  rest: string;
}

/** A line of the file, or a transaction, whose `line` is null. */
export type StagedRow = Omit<StagedLine, 'form'> | StagedTransaction;

/** Holds a file and the transactions of an account in memory while they are compared. */
export class ReconcileStaging {
  readonly #lines: StagedLine[] = [];
  /** By their passes, which count from 0. */
  #transactions: StagedTransaction[][] = [];
  readonly #unequal: StagedRow[] = [];

  stageLines(lines: readonly StagedLine[]): void {
    for (const line of lines) this.#lines.push(line);
  }

  /** Replaces the key of each line that has one. */
  replaceKeys(keyOf: (key: string) => string): void {
    for (const line of this.#lines) if (line.key !== null) line.key = keyOf(line.key);
  }

  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void {
    this.#transactions[pass] ??= [];
    for (const transaction of transactions) this.#transactions[pass].push(transaction);
  }

  clearTransactions(): void {
    this.#transactions = [];
  }

  /**
   * The lines of some forms and the transactions of a pass, ordered by key and content. Of equal rows, the
   * lines come first in their order, then the transactions in the order of staging.
   */
  rowsOf(pass: number, forms: readonly number[]): StagedRow[] {
    const lines: StagedRow[] = this.#lines.filter(({ form }) => forms.includes(form));
    return lines
      .concat(this.#transactions[pass] ?? [])
      .sort((one, other) => byContent(one, other) || lineOf(one) - lineOf(other));
  }

  stageUnequal(rows: readonly StagedRow[]): void {
    for (const row of rows) this.#unequal.push(row);
  }

  /**
   * All unequal rows, by key. Within a key, lines and transactions alternate, each in the order of their
   * content: the first line, the first transaction, the second line, and so on.
   */
  *unequalRows(): Generator<StagedRow, void, undefined> {
    const rows = this.#unequal.sort(byContent);
    for (let begin = 0, end = 0; begin < rows.length; begin = end) {
      while (end < rows.length && rows[end]?.key === rows[begin]?.key) end++;
      const ofKey = rows.slice(begin, end);
      const [lines, transactions] = [true, false].map((isLine) =>
        ofKey.filter(({ line }) => (line !== null) === isLine),
      );
      for (let place = 0; place < ofKey.length; place++)
        for (const row of [lines?.[place], transactions?.[place]]) if (row !== undefined) yield row;
    }
  }
}

/** Transactions come after lines. */
const lineOf = ({ line }: StagedRow) => line ?? Number.MAX_SAFE_INTEGER;

const byContent = (one: StagedRow, other: StagedRow) =>
  order(one.key, other.key) || order(one.content, other.content);

/** Null comes first. */
function order(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  return other === null || one > other ? 1 : -1;
}
