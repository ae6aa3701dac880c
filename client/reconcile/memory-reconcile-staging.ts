import type { ReconcileStaging, StagedLine, StagedRow, StagedTransaction } from './reconcile-staging.ts';

type Row = StagedRow & { id: number };

/** Holds everything in memory, for a platform without SQLite. */
export class MemoryReconcileStaging implements ReconcileStaging {
  readonly #lines: StagedLine[] = [];
  readonly #transactions: (StagedTransaction & { pass: number })[] = [];
  readonly #unequal: StagedRow[] = [];

  stageLines(lines: readonly StagedLine[]): void {
    for (const line of lines) this.#lines.push({ ...line });
  }

  replaceKeys(keyOf: (key: string) => string): void {
    for (const line of this.#lines) if (line.key !== null) line.key = keyOf(line.key);
  }

  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void {
    for (const transaction of transactions) this.#transactions.push({ ...transaction, pass });
  }

  clearTransactions(): void {
    this.#transactions.length = 0;
  }

  stageUnequal(rows: readonly StagedRow[]): void {
    for (const row of rows) this.#unequal.push(row);
  }

  rowsOf(pass: number, forms: readonly number[]): StagedRow[] {
    const lines = this.#lines
      .filter(({ form }) => forms.includes(form))
      .map(({ line, key, content }): Row => ({ line, key, content, rest: null, id: line }));
    const transactions = this.#transactions
      .filter((one) => one.pass === pass)
      .map(({ key, content, rest }, id): Row => ({ line: null, key, content, rest, id }));
    const sorted = [...lines, ...transactions].sort(
      (one, other) =>
        order(one.key, other.key) ||
        order(one.content, other.content) ||
        Number(one.line === null) - Number(other.line === null) ||
        one.id - other.id,
    );
    return sorted.map(rowOf);
  }

  unequalRows(): StagedRow[] {
    /** How many lines and transactions each key has before a row. */
    const places = new Map<string, number>();
    const placed = this.#unequal
      .map((row, id): Row => ({ ...row, id }))
      .sort((one, other) => order(one.content, other.content) || one.id - other.id)
      .map((row) => {
        const partition = JSON.stringify([row.key, row.line === null]);
        const place = places.get(partition) ?? 0;
        places.set(partition, place + 1);
        return { row, place };
      });
    placed.sort(
      (one, other) =>
        order(one.row.key, other.row.key) ||
        one.place - other.place ||
        Number(one.row.line === null) - Number(other.row.line === null),
    );
    return placed.map(({ row }) => rowOf(row));
  }

  close(): void {}
}

function rowOf({ line, key, content, rest }: Row): StagedRow {
  return { line, key, content, rest } as StagedRow;
}

/** Null comes first, as in SQLite. */
function order(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  return other === null || one > other ? 1 : -1;
}
