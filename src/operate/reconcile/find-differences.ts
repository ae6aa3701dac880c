import type { ShownTransaction } from '../../ledger/transaction-fields.ts';
import { type ComparableField, type ComparedFields, comparedValue } from './compared-fields.ts';
import { DAY_CHARACTERS } from './file-values.ts';
import type { ReconcileStaging, StagedRow, StagedTransaction } from './reconcile-staging.ts';
import type { Pass } from './times-form.ts';
import { TransactionRows } from './transaction-rows.ts';

const ROWS_PER_STAGE = 500;

/** The values of a line: its key and the compared fields. */
export type LineValues = Readonly<Partial<Record<ComparableField, string | null>>>;

/** A line that is not in the account, a transaction that is not in the file, or one with different values. */
export type Difference =
  | { kind: 'missing_here'; line: number; file: LineValues; account: null; fields: readonly [] }
  | { kind: 'missing_there'; line: null; file: null; account: ShownTransaction; fields: readonly [] }
  | {
      kind: 'differing';
      line: number;
      file: LineValues;
      account: ShownTransaction;
      /** The fields whose values differ. */
      fields: readonly ComparableField[];
    };

/**
 * Compares staged lines with the transactions of an account, in the order of these methods.
 *
 * Lines and transactions with equal values are paired first. Of the others, the first line of a key is paired with the first
 * transaction of the key, and so on, both in the order of their compared values; what remains is missing. Without a key, a
 * line or transaction is never paired with a differing one.
 */
export class Reconciliation {
  readonly #compared: ComparedFields;
  readonly #passes: readonly Pass[];
  readonly #staging: ReconcileStaging;
  readonly #rows: TransactionRows;

  constructor(compared: ComparedFields, passes: readonly Pass[], staging: ReconcileStaging) {
    this.#compared = compared;
    this.#passes = passes;
    this.#staging = staging;
    this.#rows = new TransactionRows(compared, passes);
  }

  async stageTransactions(
    transactions: AsyncIterable<ShownTransaction>,
    onProgress: (count: number) => void,
  ): Promise<void> {
    let count = 0;
    let staged: StagedTransaction[] = [];
    for await (const transaction of transactions) {
      staged.push(this.#rows.rowOf(transaction, 0));
      if (staged.length < ROWS_PER_STAGE) continue;
      this.#staging.stageTransactions(0, staged);
      count += staged.length;
      staged = [];
      onProgress(count);
    }
    this.#staging.stageTransactions(0, staged);
  }

  /** Sets equal pairs aside. `onProgress` is called with the lines and transactions so far. */
  matchEqual(onProgress: (rows: number) => void): void {
    let compared = 0;
    for (const [pass, { forms }] of this.#passes.entries()) {
      const isLast = pass === this.#passes.length - 1;
      const stage = (rows: readonly StagedRow[]) => {
        // A transaction that equals no line of this pass can equal one of the next.
        const isDone = (row: StagedRow) => isLast || row.line !== null;
        this.#staging.stageUnequal(rows.filter(isDone));
        if (isLast) return;
        const again = rows.filter((row) => row.line === null);
        this.#staging.stageTransactions(
          pass + 1,
          again.map((row) => this.#rows.rowOf(this.#rows.transactionOf(row), pass + 1)),
        );
      };
      let unequal: StagedRow[] = [];
      const rows = counted(this.#staging.rowsOf(pass, forms), () => {
        if (++compared % ROWS_PER_STAGE === 0) onProgress(compared);
      });
      for (const row of withoutEqualPairs(rows)) {
        if (unequal.push(row) < ROWS_PER_STAGE) continue;
        stage(unequal);
        unequal = [];
      }
      stage(unequal);
    }
  }

  /** The differences in the order of their keys, those without a key first. */
  *differences(): Generator<Difference, void, undefined> {
    let line: { values: LineValues; line: number; key: string | null } | undefined;
    for (const row of this.#staging.unequalRows()) {
      if (row.line !== null) {
        if (line !== undefined) yield missingHere(line);
        line = { ...row, values: this.#lineValues(row) };
        continue;
      }
      const account = this.#rows.transactionOf(row);
      if (line !== undefined && row.key !== null && line.key === row.key) {
        yield this.#differing(line, account);
      } else {
        if (line !== undefined) yield missingHere(line);
        yield { kind: 'missing_there', line: null, file: null, account, fields: [] };
      }
      line = undefined;
    }
    if (line !== undefined) yield missingHere(line);
  }

  #lineValues({ key, content }: Pick<StagedRow, 'key' | 'content'>): LineValues {
    const values = JSON.parse(content) as (string | null)[];
    const fields = this.#compared.fields.map((field, at) => [field, values[at]]);
    return { [this.#compared.key]: key, ...Object.fromEntries(fields) };
  }

  #differing({ line, values }: { line: number; values: LineValues }, account: ShownTransaction): Difference {
    const fields = this.#compared.fields.filter(
      (field) => !isSame(field, values[field] ?? null, comparedValue(account, field)),
    );
    return { kind: 'differing', line, file: values, account, fields };
  }
}

const missingHere = ({ line, values }: { line: number; values: LineValues }): Difference => ({
  kind: 'missing_here',
  line,
  file: values,
  account: null,
  fields: [],
});

function isSame(field: ComparableField, theirs: string | null, ours: string | null): boolean {
  const isDay = (field === 'createdAt' || field === 'paidAt') && theirs?.length === DAY_CHARACTERS;
  return theirs === (isDay ? (ours?.slice(0, DAY_CHARACTERS) ?? null) : ours);
}

function* counted<Row>(rows: Iterable<Row>, onRow: () => void): Generator<Row> {
  for (const row of rows) {
    onRow();
    yield row;
  }
}

/** The sorted rows without the pairs of a line and a transaction with equal key and content. */
function* withoutEqualPairs(rows: Iterable<StagedRow>): Generator<StagedRow, void, undefined> {
  let key: string | null = null;
  let content = '';
  /** The numbers of the lines with this key and content; `paired` of them have their transaction. */
  let lines: number[] = [];
  let paired = 0;
  const unpaired = function* (): Generator<StagedRow> {
    for (const line of lines.slice(paired)) yield { line, key, content, rest: null };
  };
  for (const row of rows) {
    if (row.key !== key || row.content !== content) {
      yield* unpaired();
      ({ key, content } = row);
      lines = [];
      paired = 0;
    }
    if (row.line !== null) lines.push(row.line);
    else if (paired < lines.length) paired++;
    else yield row;
  }
  yield* unpaired();
}
