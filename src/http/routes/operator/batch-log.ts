import type { AccountTransaction } from '../../../core/transaction.ts';
import type { BatchResult } from '../../schemas/record-batch.ts';
import { loggable } from '../../telemetry/loggable.ts';

/** A line of the log names so many conflicts of a batch; the answers name all of them. */
const MAX_LOGGED_CONFLICTS = 10;

interface LoggedConflict {
  line: number;
  account: string | undefined;
  reference: string | undefined;
  differs: string[] | undefined;
}

/** What the log says of a batch: how many lines had each outcome, and which transactions were contradicted first. */
export class BatchLog {
  readonly outcomes: Partial<Record<BatchResult['outcome'], number>> = {};
  /** Absent where there are none. */
  conflicts?: LoggedConflict[];

  note({ line, outcome, differences }: BatchResult, transaction: AccountTransaction | undefined): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    if (outcome !== 'conflict' || this.conflicts?.length === MAX_LOGGED_CONFLICTS) return;
    this.conflicts ??= [];
    this.conflicts.push({
      line,
      account: loggable(transaction?.account),
      reference: loggable(transaction?.reference),
      differs: differences?.map(({ field }) => field),
    });
  }
}
