import type { Transaction } from '../../../client/src/transaction.ts';
import { addDays } from '../../values/days.ts';
import type { ComparedFields, MatchRules } from './compared-fields.ts';
import { ContainedKeys } from './contained-keys.ts';
import { dayText } from './days.ts';
import { DAY_CHARACTERS } from './file-values.ts';
import { type Difference, type LineValues, Reconciliation } from './find-differences.ts';
import { type PaidDays, withoutLine } from './paid-days.ts';
import type { ReconcileStaging } from './reconcile-staging.ts';
import { ReconcileSums } from './reconcile-sums.ts';
import type { Pass } from './times-form.ts';

interface ComparedFile {
  compared: ComparedFields;
  /** The passes in which the staged lines are compared. */
  passes: readonly Pass[];
  staging: ReconcileStaging;
  rules: MatchRules;
  /** The days of payment of the file. Transactions are also read from the days around them. */
  paid: PaidDays;
  /** Whether the keys of the lines are still to be found in their texts. */
  hasTexts: boolean;
}

const DIFFERENCES_PER_PART = 500;

/** The comparison of a staged file with the transactions of an account, in the order of these methods. */
export class FileComparison {
  /** The first day of which nothing is archived, if the transactions that were read can lack archived ones. */
  archivedBefore: string | undefined;
  /** Complete after the differences. */
  sums = new ReconcileSums();
  readonly #file: ComparedFile;
  #keys: ContainedKeys | undefined;
  readonly #reconciliation: Reconciliation;

  constructor(file: ComparedFile) {
    const { compared, passes, staging, rules, paid, hasTexts } = file;
    this.#file = file;
    this.#keys = hasTexts ? new ContainedKeys() : undefined;
    this.#reconciliation = new Reconciliation(compared, passes, staging, {
      rules,
      isDue: (transaction) => withoutLine(transaction, paid, rules) === 'missing',
    });
  }

  readTransactions(
    transactions: AsyncIterable<Transaction>,
    onProgress: (count: number) => void,
  ): Promise<void> {
    return this.#reconciliation.stageTransactions(this.#summed(transactions), onProgress);
  }

  /** Forgets the transactions that were read so far, while readTransactions waits for the next one. */
  clearTransactions(): void {
    this.sums = new ReconcileSums();
    this.#keys &&= new ContainedKeys();
    this.#reconciliation.clearTransactions();
  }

  /** `onProgress` is called with the lines and transactions so far. */
  match(onProgress: (rows: number) => void): void {
    const keys = this.#keys;
    if (keys !== undefined) this.#file.staging.replaceKeys((text) => keys.keyOf(text));
    this.#reconciliation.matchEqual(onProgress);
  }

  /**
   * The differences in parts. `onLate` is called with a transaction of the last days without a line, which can be in the next file;
   * `onArchived` with the number of a line that the account does not have, and whose transaction can be archived.
   */
  *differences(
    onLate: (transaction: Transaction) => void,
    onArchived: (line: number) => void,
  ): Generator<Difference[], void, undefined> {
    let part: Difference[] = [];
    for (const difference of this.#reconciliation.differences()) {
      if (!this.#isReported(difference, onLate)) continue;
      if (difference.kind === 'missing_here' && this.#canBeArchived(difference.file)) {
        onArchived(difference.line);
        continue;
      }
      this.sums.addDifference(difference);
      part.push(difference);
      if (part.length < DIFFERENCES_PER_PART) continue;
      yield part;
      part = [];
    }
    if (part.length > 0) yield part;
  }

  async *#summed(transactions: AsyncIterable<Transaction>): AsyncGenerator<Transaction> {
    for await (const transaction of transactions) {
      this.sums.addTransaction(transaction);
      this.#keys?.addTransaction(transaction, this.#file.compared.key);
      yield transaction;
    }
  }

  /** A line without a day can be of any, and a bank can book later than a transaction was created. */
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
