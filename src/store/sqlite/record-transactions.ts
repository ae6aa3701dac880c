import type { DatabaseSync } from 'node:sqlite';
import { compareWithRecorded } from '../../core/record-transaction.ts';
import type { IdempotencyKey, RecordOnceOutcome, RecordOutcome, RecordResult } from '../../core/store.ts';
import type { AccountTransaction } from '../../core/transaction.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import { isUnavailable } from './database.ts';

export const STORED_COLUMNS =
  'account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms';

export type StoredRow = [
  account: string,
  createdAtMs: number,
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
];

/** Records one row after the other, inside the transaction that the caller holds. */
export function rowRecorder(
  db: DatabaseSync,
): (row: Readonly<[...StoredRow, ...unknown[]]>) => RecordOutcome {
  const insert = db.prepare(
    `INSERT INTO transactions (${STORED_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const select = db.prepare(
    `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ? AND reference = ?`,
  );
  select.setReturnArrays(true);
  const advance = db.prepare(
    'UPDATE transactions SET status = ?, paid_at_ms = ? WHERE account = ? AND reference = ?',
  );

  return ([
    account,
    createdAtMs,
    reference,
    merchantReference,
    status,
    amountMinor,
    currencyCode,
    paidAtMs,
  ]) => {
    const { changes } = insert.run(
      account,
      createdAtMs,
      reference,
      merchantReference,
      status,
      amountMinor,
      currencyCode,
      paidAtMs,
    );
    if (changes === 1) return { outcome: 'recorded' };
    const comparison = compareWithRecorded(
      transactionOf(select.get(account, reference) as unknown as TransactionRow),
      {
        reference,
        merchantReference,
        status,
        amountMinor,
        currencyCode,
        paidAtMs,
        createdAtMs,
      },
    );
    if (comparison.outcome === 'changed') advance.run(status, paidAtMs, account, reference);
    return comparison;
  };
}

function storedRow(transaction: AccountTransaction): StoredRow {
  return [
    transaction.account,
    transaction.createdAtMs,
    transaction.reference,
    transaction.merchantReference,
    transaction.status,
    transaction.amountMinor,
    transaction.currencyCode,
    transaction.paidAtMs,
  ];
}

/** The writes of TransactionRecorder, each inside the transaction that the caller holds. */
export interface TransactionWriter {
  recordTransactions(transactions: readonly AccountTransaction[]): RecordResult[];
  recordOnce(transaction: AccountTransaction, once: IdempotencyKey): RecordOnceOutcome;
}

export function transactionWriter(db: DatabaseSync): TransactionWriter {
  const recordRow = rowRecorder(db);
  const useKey = db.prepare(
    'INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const findKey = db.prepare(
    'SELECT fingerprint, reference FROM idempotency_keys WHERE account = ? AND key = ?',
  );

  /** A row that is refused leaves nothing of itself in the transaction of the others. */
  const recordAlone = (transaction: AccountTransaction): RecordResult => {
    try {
      return recordRow(storedRow(transaction));
    } catch (error) {
      if (isUnavailable(error) || !db.isTransaction) throw error;
      return { outcome: 'failed', error };
    }
  };

  return {
    recordTransactions: (transactions) => transactions.map((transaction) => recordAlone(transaction)),

    recordOnce: (transaction, { key, fingerprint }) => {
      const { account, reference } = transaction;
      if (useKey.run(account, key, fingerprint, reference).changes === 1) {
        const { outcome } = recordRow(storedRow(transaction));
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
