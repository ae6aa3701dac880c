import { loggable } from '../../../http/server/begin-request.ts';
import type { AccountTransaction } from '../../transaction.ts';
import type { BatchResultBody } from './batch-schemas.ts';

/** The most conflicts that the log line of a batch names. The response names all conflicts. */
const MAX_LOGGED_CONFLICTS = 10;

interface LoggedConflict {
  line: number;
  account: string | undefined;
  reference: string | undefined;
  differs: string[] | undefined;
}

/** The fields that a batch adds to its log line: lines by outcome, and the first conflicts. */
export class BatchLog {
  readonly outcomes: Partial<Record<BatchResultBody['outcome'], number>> = {};
  /** Absent without conflicts. */
  conflicts?: LoggedConflict[];

  note({ line, outcome, differences }: BatchResultBody, transaction: AccountTransaction | undefined): void {
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
