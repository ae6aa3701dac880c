import type { DatabaseSync } from 'node:sqlite';
import { compareWithRecorded } from '../../core/record-transaction.ts';
import { PENDING } from '../../core/status.ts';
import type { IdempotencyKey, RecordOnceOutcome, RecordOutcome, RecordResult } from '../../core/store.ts';
import type { AccountTransaction, Transaction } from '../../core/transaction.ts';
import { RECORDED_COLUMNS, recordedValues } from '../transaction-columns.ts';
import { isUnavailable } from './errors.ts';
import { transactionRetriever } from './retrieve-transaction.ts';
import { numberGiver, type SequenceNumbers } from './sequence-numbers.ts';

/** The writes of TransactionRecorder, each inside the caller's transaction of the database. */
export interface TransactionWriter {
  recordTransactions(transactions: readonly AccountTransaction[], nowMs: number): RecordResult[];
  recordOnce(transaction: AccountTransaction, once: IdempotencyKey, nowMs: number): RecordOnceOutcome;
}

export function transactionWriter(db: DatabaseSync): TransactionWriter {
  const withNumbers = numberGiver(db);
  const record = rowRecorder(db);
  const useKey = db.prepare(
    'INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const findKey = db.prepare(
    'SELECT fingerprint, reference FROM idempotency_keys WHERE account = ? AND key = ?',
  );

  return {
    recordTransactions: (transactions, nowMs) =>
      withNumbers((numbers) =>
        transactions.map((transaction): RecordResult => {
          try {
            return record(transaction, numbers, nowMs);
          } catch (error) {
            // SQLite undoes a statement that it refuses, and the others of the transaction stay.
            if (isUnavailable(error) || !db.isTransaction) throw error;
            return { outcome: 'failed', error };
          }
        }),
      ),

    recordOnce: (transaction, { key, fingerprint }, nowMs) => {
      const { account, reference } = transaction;
      if (useKey.run(account, key, fingerprint, reference).changes === 1) {
        const { outcome } = withNumbers((numbers) => record(transaction, numbers, nowMs));
        if (outcome !== 'recorded') throw new Error('a reference was assigned that exists already');
        return { outcome };
      }
      const used = findKey.get(account, key) as { fingerprint: string; reference: string };
      return used.fingerprint === fingerprint
        ? { outcome: 'repeated', reference: used.reference }
        : { outcome: 'key_reused' };
    },
  };
}

type RowRecorder = (
  transaction: AccountTransaction,
  numbers: SequenceNumbers,
  nowMs: number,
) => RecordOutcome;

function rowRecorder(db: DatabaseSync): RowRecorder {
  // A conflict on a sequence number is an error: it would contradict the head.
  const inserting = (change: 'pending' | 'final') =>
    db.prepare(
      `INSERT INTO transactions (${RECORDED_COLUMNS.join(', ')}, ${change}_sequence, ${change}_recorded_at_ms)
       VALUES (${RECORDED_COLUMNS.map(() => '?').join(', ')}, ?, ?)
       ON CONFLICT (account, created_at_ms, reference) DO NOTHING ON CONFLICT (account, reference) DO NOTHING`,
    );
  const insertPending = inserting('pending');
  const insertFinal = inserting('final');
  const retrieve = transactionRetriever(db);
  // A transaction that became pending without a number gets none here, so that numbering gives it one.
  const advance = db.prepare(
    `UPDATE transactions SET status = ?, final_sequence = iif(pending_sequence IS NULL, NULL, ?),
       final_recorded_at_ms = iif(pending_sequence IS NULL, NULL, ?), paid_at_ms = ? WHERE account = ? AND reference = ?
     RETURNING final_sequence`,
  );
  advance.setReturnArrays(true);

  return (transaction, numbers, nowMs) => {
    const { account, reference, status, paidAtMs } = transaction;
    const sequence = numbers.next(account);
    const insert = status === PENDING ? insertPending : insertFinal;
    if (insert.run(...recordedValues(transaction), sequence, nowMs).changes === 1) {
      numbers.advance(account);
      return { outcome: 'recorded' };
    }
    const comparison = compareWithRecorded(retrieve(account, reference) as Transaction, transaction);
    if (comparison.outcome === 'changed') {
      const [given] = advance.get(status, sequence, nowMs, paidAtMs, account, reference) as unknown as [
        number | null,
      ];
      if (given !== null) numbers.advance(account);
    }
    return comparison;
  };
}
