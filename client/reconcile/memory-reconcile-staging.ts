import type { ReconcileStaging, StagedLine, StagedRow, StagedTransaction } from './reconcile-staging.ts';

export class MemoryReconcileStaging implements ReconcileStaging {
  readonly #lines: StagedLine[] = [];
  #transactions: StagedRow[][] = [];
  readonly #unequal: StagedRow[] = [];

  stageLines(lines: readonly StagedLine[]): void {
    for (const line of lines) this.#lines.push({ ...line });
  }

  replaceKeys(keyOf: (key: string) => string): void {
    for (const line of this.#lines) if (line.key !== null) line.key = keyOf(line.key);
  }

  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void {
    this.#transactions[pass] ??= [];
    for (const transaction of transactions) this.#transactions[pass].push({ line: null, ...transaction });
  }

  clearTransactions(): void {
    this.#transactions = [];
  }

  stageUnequal(rows: readonly StagedRow[]): void {
    for (const row of rows) this.#unequal.push(row);
  }

  rowsOf(pass: number, forms: readonly number[]): StagedRow[] {
    return this.#lines
      .filter(({ form }) => forms.includes(form))
      .map(({ line, key, content }): StagedRow => ({ line, key, content, rest: null }))
      .concat(this.#transactions[pass] ?? [])
      .sort((one, other) => byContent(one, other) || lineOf(one) - lineOf(other));
  }

  *unequalRows(): Generator<StagedRow, void, undefined> {
    const rows = this.#unequal.sort(byContent);
    for (let begin = 0, end = 0; begin < rows.length; begin = end) {
      while (end < rows.length && rows[end]?.key === rows[begin]?.key) end++;
      const ofKey = rows.slice(begin, end);
      const lines = ofKey.filter(({ line }) => line !== null);
      const transactions = ofKey.filter(({ line }) => line === null);
      for (let place = 0; place < ofKey.length; place++)
        for (const row of [lines[place], transactions[place]]) if (row !== undefined) yield row;
    }
  }

  close(): void {}
}

const lineOf = ({ line }: StagedRow) => line ?? Number.MAX_SAFE_INTEGER;

const byContent = (one: StagedRow, other: StagedRow) =>
  order(one.key, other.key) || order(one.content, other.content);

/** Null comes first, as in SQLite. */
function order(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  return other === null || one > other ? 1 : -1;
}
