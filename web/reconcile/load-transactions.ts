import type { Transaction } from '../../client/src/transaction.ts';
import { widened } from '../../src/operate/reconcile/paid-days.ts';
import { type OnProgress, readExport } from '../state/read-export.ts';
import { type Filter, isByPayment, queryOf } from '../state/route.ts';

export interface Days {
  filter: Filter;
  zone: string;
  /** How many days early or late a bank can book: those around the days of payment are loaded too. */
  toleranceDays: number;
}

/** All transactions of some days. */
export async function loadTransactions(
  apiKey: string,
  { filter, zone, toleranceDays }: Days,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<readonly Transaction[]> {
  const paid = { from: filter.from ?? null, to: filter.to ?? null };
  const { from, to } = isByPayment(filter) ? widened(paid, { timeZone: zone, toleranceDays }) : paid;
  const query = queryOf({ ...filter, ...(from && { from }), ...(to && { to }) }, zone);
  const transactions: Transaction[] = [];
  const startAgain = () => {
    transactions.length = 0;
  };
  for await (const transaction of readExport(apiKey, query, signal, onProgress, startAgain))
    transactions.push(transaction);
  return transactions;
}
