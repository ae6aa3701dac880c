import { widened } from '../../client/reconcile/paid-days.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { type OnProgress, readExport } from '../state/read-export.ts';
import { type Filter, isByPayment, queryOf } from '../state/route.ts';

export interface Days {
  filter: Filter;
  zone: string;
  /** A bank may book a payment this many days early or late. */
  toleranceDays: number;
}

export interface LoadedTransactions {
  transactions: readonly Transaction[];
  archivedBefore: string | undefined;
}

export async function loadTransactions(
  apiKey: string,
  { filter, zone, toleranceDays }: Days,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<LoadedTransactions> {
  const paid = { from: filter.from ?? null, to: filter.to ?? null };
  const { from, to } = isByPayment(filter) ? widened(paid, { timeZone: zone, toleranceDays }) : paid;
  const query = queryOf({ ...filter, ...(from && { from }), ...(to && { to }) }, zone);
  const transactions: Transaction[] = [];
  let archivedBefore: string | undefined;
  const events = {
    onRestart: () => {
      transactions.length = 0;
    },
    onEnd: (manifest: ExportManifest) => {
      ({ archivedBefore } = manifest);
    },
  };
  for await (const transaction of readExport(apiKey, query, signal, onProgress, events))
    transactions.push(transaction);
  return { transactions, archivedBefore };
}
