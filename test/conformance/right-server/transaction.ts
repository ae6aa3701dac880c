import { clockMs, formatTime } from './times.ts';

/** A recorded transaction. It never changes: a new status makes a new object. */
export type Transaction = {
  reference: string;
  merchantReference: string | null;
  status: string;
  amountMinor: bigint;
  currencyCode: string;
  paidAtMs: number | null;
  createdAtMs: number;
};

/** Where a transaction is in the list. */
export type Position = { createdAtMs: number; reference: string };

/** The order of the list: newest first, and transactions of one millisecond by reference, descending. */
export function compareNewestFirst(a: Position, b: Position): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  if (a.reference === b.reference) return 0;
  return a.reference < b.reference ? 1 : -1;
}

/** A transaction whose times are those that the clocks of a time zone show. */
export function withClockOf(timeZone: string | undefined, transaction: Transaction): Transaction {
  if (timeZone === undefined) return transaction;
  const { createdAtMs, paidAtMs } = transaction;
  return {
    ...transaction,
    createdAtMs: clockMs(createdAtMs, timeZone),
    paidAtMs: paidAtMs === null ? null : clockMs(paidAtMs, timeZone),
  };
}

/** A transaction as callers see it. */
export function showTransaction(transaction: Transaction) {
  return {
    reference: transaction.reference,
    merchantReference: transaction.merchantReference,
    status: transaction.status,
    amount: formatAmount(transaction.amountMinor),
    currencyCode: transaction.currencyCode,
    paidAt: transaction.paidAtMs === null ? null : formatTime(transaction.paidAtMs),
    createdAt: formatTime(transaction.createdAtMs),
  };
}

/** Hundredths as text with two decimals, exact for any number of digits. */
export function formatAmount(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Text with at most two decimals as hundredths. */
export function parseAmount(text: string): bigint | undefined {
  const parts = /^(-?)(0|[1-9][0-9]{0,15})(?:\.([0-9]{1,2}))?$/.exec(text);
  if (parts === null) return undefined;
  const minor = BigInt(`${parts[2]}${(parts[3] ?? '').padEnd(2, '0')}`);
  return parts[1] === '-' ? -minor : minor;
}
