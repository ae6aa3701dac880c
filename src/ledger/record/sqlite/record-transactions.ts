import type { DatabaseSync } from 'node:sqlite';
import { isUnavailable } from '../../../db/sqlite/errors.ts';
import { PENDING } from '../../../values/status.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { transactionRetriever } from '../../list/sqlite/retrieve-transaction.ts';
import type { AccountTransaction, Transaction } from '../../transaction.ts';
import { RECORDED_COLUMNS, recordedValues } from '../../transaction-columns.ts';
import type { CommitStamp } from '../commit-stamp.ts';
import { compareWithRecorded } from '../record-transaction.ts';
import type {
  IdempotencyKey,
  RecordOnceOutcome,
  RecordOutcome,
  RecordResult,
} from '../transaction-recorder.ts';
import { statusNoter } from './recorded-statuses.ts';
import { closedAccount, closedReader, type HeadOf, numberGiver } from './sequence-numbers.ts';

/** A result that can be sent from a thread, which takes the class of errors away. `closed`: the account is being erased. */
type WrittenResult = RecordResult | { outcome: 'closed' };

export const resultOf = (written: WrittenResult): RecordResult =>
  written.outcome === 'closed' ? { outcome: 'failed', error: closedAccount() } : written;

/** The writes of TransactionRecorder, each inside the caller's transaction of the database. */
export interface TransactionWriter {
  recordTransactions(transactions: readonly AccountTransaction[], stamp: CommitStamp): WrittenResult[];
  recordOnce(transaction: AccountTransaction, once: IdempotencyKey, stamp: CommitStamp): RecordOnceOutcome;
}

export function transactionWriter(db: DatabaseSync): TransactionWriter {
  const withHeads = numberGiver(db);
  const record = rowRecorder(db);
  const noteStatuses = statusNoter(db);
  const useKey = db.prepare(
    'INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const retrieve = transactionRetriever(db);
  const isClosed = closedReader(db);
  const findKey = db.prepare(
    'SELECT fingerprint, reference FROM idempotency_keys WHERE account = ? AND key = ?',
  );

  return {
    recordTransactions: (transactions, stamp) => {
      noteStatuses(transactions.map(({ status }) => status));
      return withHeads((headOf) =>
        transactions.map((transaction): WrittenResult => {
          try {
            return record(transaction, headOf, stamp);
          } catch (error) {
            if (error instanceof StoreUnavailable) return { outcome: 'closed' };
            // SQLite undoes a statement that it refuses, and the others of the transaction stay.
            if (isUnavailable(error) || !db.isTransaction) throw error;
            return { outcome: 'failed', error };
          }
        }),
      );
    },

    recordOnce: (transaction, { key, fingerprint, repeatsOnly = false }, stamp) => {
      const { account, reference } = transaction;
      if (!repeatsOnly && useKey.run(account, key, fingerprint, reference).changes === 1) {
        noteStatuses([transaction.status]);
        const recorded = withHeads((headOf) => record(transaction, headOf, stamp));
        const { outcome } = recorded;
        if (outcome !== 'recorded') throw new Error('a reference was assigned that exists already');
        return { ...recorded, outcome, reference };
      }
      const used = findKey.get(account, key) as { fingerprint: string; reference: string } | undefined;
      if (used === undefined) return { outcome: 'not_recorded' };
      if (used.fingerprint !== fingerprint) return { outcome: 'key_reused', reference: used.reference };
      if (retrieve(account, used.reference) !== undefined)
        return { outcome: 'repeated', reference: used.reference };
      // It is archived, or removed by an erasure that has not come to the keys.
      if (isClosed(account)) throw closedAccount();
      return { outcome: 'not_recorded' };
    },
  };
}

type RowRecorder = (transaction: AccountTransaction, headOf: HeadOf, stamp: CommitStamp) => RecordOutcome;

function rowRecorder(db: DatabaseSync): RowRecorder {
  // A conflict on a sequence number is an error: it would contradict the head.
  const inserting = (change: 'pending' | 'final') =>
    db.prepare(
      `INSERT INTO transactions (${RECORDED_COLUMNS.join(', ')}, ${change}_sequence, ${change}_recorded_at_ms, ${change}_nonce)
       VALUES (${RECORDED_COLUMNS.map(() => '?').join(', ')}, ?, ?, ?)
       ON CONFLICT (account, created_at_ms, reference) DO NOTHING ON CONFLICT (account, reference) DO NOTHING`,
    );
  const insertPending = inserting('pending');
  const insertFinal = inserting('final');
  const retrieve = transactionRetriever(db);
  const advance = db.prepare(
    `UPDATE transactions SET status = ?, final_sequence = ?, final_recorded_at_ms = ?, final_nonce = ?, paid_at_ms = ?
     WHERE account = ? AND reference = ?`,
  );

  return (transaction, headOf, { recordedAtMs, nonce }) => {
    const { account, reference, status, paidAtMs } = transaction;
    const head = headOf(account);
    const sequence = head.sequence + 1;
    const insert = status === PENDING ? insertPending : insertFinal;
    if (insert.run(...recordedValues(transaction), sequence, recordedAtMs, nonce).changes === 1) {
      head.sequence = sequence;
      return { outcome: 'recorded', sequence, nonce };
    }
    const comparison = compareWithRecorded(retrieve(account, reference) as Transaction, transaction);
    if (comparison.outcome !== 'changed') return comparison;
    advance.run(status, sequence, recordedAtMs, nonce, paidAtMs, account, reference);
    head.sequence = sequence;
    return { outcome: 'changed', sequence, nonce };
  };
}
