import { formatAmount } from '../core/amount.ts';
import { formatTimestamp } from '../core/calendar.ts';
import type { Transaction } from '../core/transaction.ts';
import type { TransactionBody } from './schemas/list-transactions.ts';

/** A transaction as it is written outside. */
export function transactionBody(transaction: Transaction): TransactionBody {
  return {
    reference: transaction.reference,
    merchantReference: transaction.merchantReference,
    status: transaction.status,
    amount: formatAmount(transaction.amountMinor),
    currencyCode: transaction.currencyCode,
    paidAt: transaction.paidAtMs === null ? null : formatTimestamp(transaction.paidAtMs),
    createdAt: formatTimestamp(transaction.createdAtMs),
  };
}
