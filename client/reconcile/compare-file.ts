import { addDays } from '../../values/calendar.ts';
import type { Transaction } from '../src/transaction.ts';
import {
  type ComparableField,
  type ComparedFields,
  comparedValue,
  type MatchRules,
} from './compared-fields.ts';
import { ContainedKeys } from './contained-keys.ts';
import { dayText } from './days.ts';
import { DAY_CHARACTERS } from './file-values.ts';
import {
  counted,
  type Difference,
  isSame,
  type LineValues,
  missingHere,
  missingThere,
  withoutEqualPairs,
} from './find-differences.ts';
import { type PaidDays, withoutLine } from './paid-days.ts';
import { pairLines } from './pair-lines.ts';
import type { ReconcileStaging, StagedRow, StagedTransaction } from './reconcile-staging.ts';
import { ReconcileSums } from './reconcile-sums.ts';
import type { Pass } from './times-form.ts';
import { TransactionRows } from './transaction-rows.ts';

interface Line {
  line: number;
  values: LineValues;
}

interface ComparedFile {
  compared: ComparedFields;
  passes: readonly Pass[];
  staging: ReconcileStaging;
  rules: MatchRules;
  /** The payment days that the file covers. Transactions of nearby days are read as well. */
  paid: PaidDays;
  /** True if the staged lines have whole texts in place of keys. `match` then finds the key in each text. */
  hasTexts: boolean;
}

const ROWS_PER_STAGE = 500;

/**
 * Compares a staged file with an account's transactions. Call the methods in the order in which they are
 * declared.
 */
export class FileComparison {
  /** The first day that has no archived transactions. Undefined if no transaction is archived. */
  archivedBefore: string | undefined;
  sums = new ReconcileSums();
  readonly #file: ComparedFile;
  readonly #rows: TransactionRows;
  #keys: ContainedKeys | undefined;
  #unstaged: StagedTransaction[] = [];

  constructor(file: ComparedFile) {
    this.#file = file;
    this.#rows = new TransactionRows(file.compared, file.passes, file.rules);
    this.#keys = file.hasTexts ? new ContainedKeys() : undefined;
  }

  async readTransactions(
    transactions: AsyncIterable<Transaction>,
    onProgress: (count: number) => void,
  ): Promise<void> {
    const { compared, staging } = this.#file;
    let count = 0;
    for await (const transaction of transactions) {
      this.sums.addTransaction(transaction);
      this.#keys?.addTransaction(transaction, compared.key);
      this.#unstaged.push(this.#rows.rowOf(transaction, 0));
      if (this.#unstaged.length < ROWS_PER_STAGE) continue;
      staging.stageTransactions(0, this.#unstaged);
      count += this.#unstaged.length;
      this.#unstaged = [];
      onProgress(count);
    }
    staging.stageTransactions(0, this.#unstaged);
  }

  clearTransactions(): void {
    this.sums = new ReconcileSums();
    this.#keys &&= new ContainedKeys();
    this.#unstaged = [];
    this.#file.staging.clearTransactions();
  }

  match(onProgress: (rows: number) => void): void {
    const { passes, staging, rules } = this.#file;
    const keys = this.#keys;
    if (keys !== undefined) staging.replaceKeys((text) => keys.keyOf(text));
    let compared = 0;
    for (const [pass, { forms }] of passes.entries()) {
      const isLast = pass === passes.length - 1;
      const stage = (rows: readonly StagedRow[]) => {
        const isDone = (row: StagedRow) => isLast || row.line !== null;
        staging.stageUnequal(rows.filter(isDone));
        if (isLast) return;
        const again = rows.filter((row) => row.line === null);
        staging.stageTransactions(
          pass + 1,
          again.map((row) => this.#rows.rowOf(this.#rows.transactionOf(row), pass + 1)),
        );
      };
      let unequal: StagedRow[] = [];
      const rows = counted(staging.rowsOf(pass, forms), () => {
        if (++compared % ROWS_PER_STAGE === 0) onProgress(compared);
      });
      for (const row of withoutEqualPairs(rows, rules.toleranceDays > 0)) {
        if (unequal.push(row) < ROWS_PER_STAGE) continue;
        stage(unequal);
        unequal = [];
      }
      stage(unequal);
    }
  }

  *differences(
    onLate: (transaction: Transaction) => void,
    onArchived: (line: number) => void,
  ): Generator<Difference[], void, undefined> {
    let part: Difference[] = [];
    for (const difference of this.#allDifferences()) {
      if (difference === null) {
        yield part;
        part = [];
        continue;
      }
      if (!this.#isReported(difference, onLate)) continue;
      if (difference.kind === 'missing_here' && this.#canBeArchived(difference.file)) {
        onArchived(difference.line);
        continue;
      }
      this.sums.addDifference(difference);
      part.push(difference);
    }
    yield part;
  }

  /** Yields null after every ROWS_PER_STAGE rows, so that the caller can do other work. */
  *#allDifferences(): Generator<Difference | null, void, undefined> {
    const { staging, rules } = this.#file;
    let key: string | null = null;
    let lines: Line[] = [];
    let transactions: Transaction[] = [];
    let rows = 0;
    for (const row of staging.unequalRows()) {
      if (++rows % ROWS_PER_STAGE === 0) yield null;
      const isPair = (row.line === null ? transactions : lines).length > 0 && rules.toleranceDays === 0;
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
    const { paid, rules } = this.#file;
    const isDue = (transaction: Transaction) => withoutLine(transaction, paid, rules) === 'missing';
    const ordered = [...transactions.filter(isDue), ...transactions.filter((one) => !isDue(one))];
    const pairs =
      rules.toleranceDays === 0
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
    const fields = this.#file.compared.fields.map((field, at) => [field, values[at]]);
    const { currency } = this.#file.rules;
    return {
      ...(currency !== undefined && { currencyCode: currency }),
      [this.#file.compared.key]: key,
      ...Object.fromEntries(fields),
    };
  }

  #differing(line: Line, account: Transaction): Difference {
    const fields = this.#differingFields(line, account);
    return { kind: 'differing', line: line.line, file: line.values, account, fields };
  }

  #differingFields({ values }: Line, account: Transaction): ComparableField[] {
    return this.#file.compared.fields.filter(
      (field) => !isSame(field, values[field] ?? null, comparedValue(account, field), this.#file.rules),
    );
  }

  /** A line can be a few days later than its transaction, because banks book only on working days. */
  #canBeArchived({ createdAt, paidAt }: LineValues): boolean {
    if (this.archivedBefore === undefined) return false;
    const { timeZone, toleranceDays } = this.#file.rules;
    const time = createdAt ?? paidAt ?? null;
    const day = time?.length === DAY_CHARACTERS ? time : dayText(time, timeZone);
    return day === null || addDays(day, -toleranceDays) < this.archivedBefore;
  }

  #isReported({ kind, account }: Difference, onLate: (transaction: Transaction) => void): boolean {
    const { paid, rules } = this.#file;
    const of = kind === 'missing_there' ? withoutLine(account, paid, rules) : 'missing';
    if (of === 'missing' || account === null) return true;
    this.sums.removeTransaction(account);
    if (of === 'late') onLate(account);
    return false;
  }
}
