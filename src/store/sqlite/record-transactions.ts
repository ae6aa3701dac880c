import type { DatabaseSync } from 'node:sqlite';
import { compareWithRecorded } from '../../core/record-transaction.ts';
import type { IdempotencyKey, RecordOnceOutcome, RecordOutcome, RecordResult } from '../../core/store.ts';
import type { AccountTransaction, Transaction } from '../../core/transaction.ts';
import { RECORDED_COLUMNS, recordedValues } from '../transaction-columns.ts';
import { isUnavailable } from './errors.ts';
import { transactionRetriever } from './retrieve-transaction.ts';

/** The writes of TransactionRecorder, each inside the caller's transaction of the database. */
export interface TransactionWriter {
  recordTransactions(transactions: readonly AccountTransaction[]): RecordResult[];
  recordOnce(transaction: AccountTransaction, once: IdempotencyKey): RecordOnceOutcome;
}

export function transactionWriter(db: DatabaseSync): TransactionWriter {
  const record = rowRecorder(db);
  const useKey = db.prepare(
    'INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const findKey = db.prepare(
    'SELECT fingerprint, reference FROM idempotency_keys WHERE account = ? AND key = ?',
  );

  /** SQLite undoes a statement that it refuses, and the others of the transaction stay. */
  const recordOrFail = (transaction: AccountTransaction): RecordResult => {
    try {
      return record(transaction);
    } catch (error) {
      if (isUnavailable(error) || !db.isTransaction) throw error;
      return { outcome: 'failed', error };
    }
  };

  return {
    recordTransactions: (transactions) => transactions.map(recordOrFail),

    recordOnce: (transaction, { key, fingerprint }) => {
      const { account, reference } = transaction;
      if (useKey.run(account, key, fingerprint, reference).changes === 1) {
        const { outcome } = record(transaction);
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

function rowRecorder(db: DatabaseSync): (transaction: AccountTransaction) => RecordOutcome {
  const insert = db.prepare(
    `INSERT INTO transactions (${RECORDED_COLUMNS.join(', ')})
     VALUES (${RECORDED_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  const retrieve = transactionRetriever(db);
  const advance = db.prepare(
    'UPDATE transactions SET status = ?, paid_at_ms = ? WHERE account = ? AND reference = ?',
  );

  return (transaction) => {
    if (insert.run(...recordedValues(transaction)).changes === 1) return { outcome: 'recorded' };
    const { account, reference, status, paidAtMs } = transaction;
    const comparison = compareWithRecorded(retrieve(account, reference) as Transaction, transaction);
    if (comparison.outcome === 'changed') advance.run(status, paidAtMs, account, reference);
    return comparison;
  };
}
