import type { Transaction } from '../../../client/src/transaction.ts';
import {
  type ComparableField,
  type ComparedFields,
  comparedValue,
  type MatchRules,
} from './compared-fields.ts';
import { daysAfter, dayText } from './days.ts';
import { DAY_CHARACTERS } from './file-values.ts';
import { pairLines } from './pair-lines.ts';
import type { ReconcileStaging, StagedRow, StagedTransaction } from './reconcile-staging.ts';
import type { Pass } from './times-form.ts';
import { TransactionRows } from './transaction-rows.ts';

const ROWS_PER_STAGE = 500;

/** The values of a line: its key and the compared fields. */
export type LineValues = Readonly<Partial<Record<ComparableField, string | null>>>;

interface Line {
  line: number;
  values: LineValues;
}

/** A line that is not in the account, a transaction that is not in the file, or one with different values. */
export type Difference =
  | { kind: 'missing_here'; line: number; file: LineValues; account: null; fields: readonly [] }
  | { kind: 'missing_there'; line: null; file: null; account: Transaction; fields: readonly [] }
  | {
      kind: 'differing';
      line: number;
      file: LineValues;
      account: Transaction;
      /** The fields whose values differ. */
      fields: readonly ComparableField[];
    };

/**
 * Compares staged lines with the transactions of an account, in the order of these methods.
 *
 * Lines and transactions with equal values are paired first. Of the others, the first line of a key is paired with the first
 * transaction of the key, and so on, both in the order of their compared values; what remains is missing. Without a key, a
 * line or transaction is never paired with a differing one. With a tolerance of days, lines and transactions of a key that differ
 * by no more are paired before those that differ by other values: as many as possible, and first those that must have a line.
 */
export class Reconciliation {
  readonly #compared: ComparedFields;
  readonly #passes: readonly Pass[];
  readonly #staging: ReconcileStaging;
  readonly #rows: TransactionRows;
  readonly #rules: MatchRules;
  readonly #isDue: (transaction: Transaction) => boolean;
  /** Transactions that are read and not yet staged. */
  #unstaged: StagedTransaction[] = [];

  /** `isDue`: whether a transaction without a line is a difference. */
  constructor(
    compared: ComparedFields,
    passes: readonly Pass[],
    staging: ReconcileStaging,
    { rules, isDue }: { rules: MatchRules; isDue: (transaction: Transaction) => boolean },
  ) {
    this.#isDue = isDue;
    this.#compared = compared;
    this.#passes = passes;
    this.#staging = staging;
    this.#rules = rules;
    this.#rows = new TransactionRows(compared, passes, rules);
  }

  async stageTransactions(
    transactions: AsyncIterable<Transaction>,
    onProgress: (count: number) => void,
  ): Promise<void> {
    let count = 0;
    for await (const transaction of transactions) {
      this.#unstaged.push(this.#rows.rowOf(transaction, 0));
      if (this.#unstaged.length < ROWS_PER_STAGE) continue;
      this.#staging.stageTransactions(0, this.#unstaged);
      count += this.#unstaged.length;
      this.#unstaged = [];
      onProgress(count);
    }
    this.#staging.stageTransactions(0, this.#unstaged);
  }

  /** Forgets the transactions that were read so far. */
  clearTransactions(): void {
    this.#unstaged = [];
    this.#staging.clearTransactions();
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
      // With a tolerance, an equal day can be that of another transaction of the key: all of a key are paired together.
      for (const row of withoutEqualPairs(rows, this.#rules.toleranceDays > 0)) {
        if (unequal.push(row) < ROWS_PER_STAGE) continue;
        stage(unequal);
        unequal = [];
      }
      stage(unequal);
    }
  }

  /** The differences in the order of their keys, those without a key first. */
  *differences(): Generator<Difference, void, undefined> {
    let key: string | null = null;
    let lines: Line[] = [];
    let transactions: Transaction[] = [];
    for (const row of this.#staging.unequalRows()) {
      // Without a tolerance, a pair needs no other row of its key.
      const isPair = (row.line === null ? transactions : lines).length > 0 && this.#rules.toleranceDays === 0;
      if (row.key === null || row.key !== key || isPair) {
        yield* this.#ofKey(key, lines, transactions);
        ({ key } = row);
        [lines, transactions] = [[], []];
      }
      if (row.line !== null) lines.push({ line: row.line, values: this.#lineValues(row) });
      else transactions.push(this.#rows.transactionOf(row));
    }
    yield* this.#ofKey(key, lines, transactions);
  }

  *#ofKey(key: string | null, lines: readonly Line[], transactions: readonly Transaction[]) {
    // Those of this file first: what is left over of the days around it is no difference.
    const ordered = [...transactions.filter(this.#isDue), ...transactions.filter((one) => !this.#isDue(one))];
    const pairs =
      this.#rules.toleranceDays === 0
        ? []
        : pairLines(lines.length, ordered.length, (line, at) => {
            const fields = this.#differingFields(lines[line] as Line, ordered[at] as Transaction);
            return fields.length === 0;
          });
    const paired = new Set(pairs.map((at) => at !== undefined && ordered[at]));
    const left = ordered.filter((one) => !paired.has(one));
    const unpaired = lines.filter((_, line) => pairs[line] === undefined);
    for (const [at, line] of unpaired.entries()) {
      const account = key === null ? undefined : left[at];
      yield account === undefined ? missingHere(line) : this.#differing(line, account);
    }
    for (const account of key === null ? left : left.slice(unpaired.length)) yield missingThere(account);
  }

  #lineValues({ key, content }: Pick<StagedRow, 'key' | 'content'>): LineValues {
    const values = JSON.parse(content) as (string | null)[];
    const fields = this.#compared.fields.map((field, at) => [field, values[at]]);
    const { currency } = this.#rules;
    return {
      ...(currency !== undefined && { currencyCode: currency }),
      [this.#compared.key]: key,
      ...Object.fromEntries(fields),
    };
  }

  #differing(line: Line, account: Transaction): Difference {
    const fields = this.#differingFields(line, account);
    return { kind: 'differing', line: line.line, file: line.values, account, fields };
  }

  #differingFields({ values }: Line, account: Transaction): ComparableField[] {
    return this.#compared.fields.filter(
      (field) => !isSame(field, values[field] ?? null, comparedValue(account, field), this.#rules),
    );
  }
}

const missingThere = (account: Transaction): Difference => ({
  kind: 'missing_there',
  line: null,
  file: null,
  account,
  fields: [],
});

const missingHere = ({ line, values }: Line): Difference => ({
  kind: 'missing_here',
  line,
  file: values,
  account: null,
  fields: [],
});

function isSame(
  field: ComparableField,
  theirs: string | null,
  ours: string | null,
  { timeZone, toleranceDays }: MatchRules,
): boolean {
  const isDay = (field === 'createdAt' || field === 'paidAt') && theirs?.length === DAY_CHARACTERS;
  if (!isDay || ours === null) return theirs === ours;
  if (toleranceDays === 0) return theirs === dayText(ours, timeZone);
  return Math.abs(daysAfter(theirs, ours, timeZone)) <= toleranceDays;
}

function* counted<Row>(rows: Iterable<Row>, onRow: () => void): Generator<Row> {
  for (const row of rows) {
    onRow();
    yield row;
  }
}

/** The sorted rows without the pairs of a line and a transaction with equal key and content; `keepsKeys`: of those without a key. */
function* withoutEqualPairs(
  rows: Iterable<StagedRow>,
  keepsKeys: boolean,
): Generator<StagedRow, void, undefined> {
  let key: string | null = null;
  let content = '';
  /** The numbers of the lines with this key and content; `paired` of them have their transaction. */
  let lines: number[] = [];
  let paired = 0;
  const unpaired = function* (): Generator<StagedRow> {
    for (const line of lines.slice(paired)) yield { line, key, content, rest: null };
  };
  for (const row of rows) {
    if (keepsKeys && row.key !== null) {
      yield row;
      continue;
    }
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
