import type { DatabaseSync } from 'node:sqlite';
import { PENDING } from '../../../values/status.ts';
import { numberGiver } from '../../record/sqlite/sequence-numbers.ts';
import { UNNUMBERED } from '../../transaction-columns.ts';

/** Transactions numbered in one transaction of the database: recordings wait for at most some tens of milliseconds. */
const STEP_SIZE = 1000;

/** The write of ChangeNumberer, inside the caller's transaction of the database. */
export interface TransactionNumberer {
  numberTransactions(nowMs: number): number;
}

export function transactionNumberer(db: DatabaseSync): TransactionNumberer {
  const withHeads = numberGiver(db);
  const nextAccount = db.prepare(
    `SELECT account FROM transactions INDEXED BY transactions_unnumbered WHERE ${UNNUMBERED} ORDER BY account LIMIT 1`,
  );
  const unnumbered = db.prepare(
    `SELECT created_at_ms, reference, status FROM transactions INDEXED BY transactions_unnumbered
     WHERE account = ? AND ${UNNUMBERED} ORDER BY created_at_ms, reference LIMIT ?`,
  );
  unnumbered.setReturnArrays(true);
  const numbering = (change: 'pending' | 'final') =>
    db.prepare(
      `UPDATE transactions SET ${change}_sequence = ?, ${change}_recorded_at_ms = ?
       WHERE account = ? AND created_at_ms = ? AND reference = ?`,
    );
  const numberPending = numbering('pending');
  const numberFinal = numbering('final');

  return {
    numberTransactions: (nowMs) =>
      withHeads((headOf) => {
        let count = 0;
        while (count < STEP_SIZE) {
          const account = nextAccount.get()?.['account'] as string | undefined;
          if (account === undefined) break;
          const rows = unnumbered.all(account, STEP_SIZE - count) as unknown as [number, string, string][];
          const head = headOf(account);
          for (const [createdAtMs, reference, status] of rows) {
            const number = status === PENDING ? numberPending : numberFinal;
            number.run(++head.sequence, nowMs, account, createdAtMs, reference);
          }
          count += rows.length;
        }
        return count;
      }),
  };
}
