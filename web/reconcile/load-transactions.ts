import { sendSettings } from '../../client/src/client-options.ts';
import { Export } from '../../client/src/export.ts';
import { exportedTransactions } from '../../client/src/export-items.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { widened } from '../../src/operate/reconcile/paid-days.ts';
import { type Filter, isByPayment, queryOf } from '../state/route.ts';

export interface Days {
  filter: Filter;
  zone: string;
  /** How many days early or late a bank can book: those around the days of payment are loaded too. */
  toleranceDays: number;
}

const MAX_RETRIES = 4;

/** All transactions of some days, from one export, which is checked against its manifest. */
export async function loadTransactions(
  apiKey: string,
  { filter, zone, toleranceDays }: Days,
  signal: AbortSignal,
  onProgress: (count: number, all: number | null) => void,
): Promise<readonly Transaction[]> {
  const paid = { from: filter.from ?? null, to: filter.to ?? null };
  const { from, to } = isByPayment(filter) ? widened(paid, { timeZone: zone, toleranceDays }) : paid;
  const query = {
    ...queryOf({ ...filter, ...(from && { from }), ...(to && { to }) }, zone),
    format: 'ndjson',
  } as const;
  const settings = sendSettings({ url: location.origin, apiKey, maxRetries: MAX_RETRIES });
  const exported = new Export(settings, '/v1', query, { signal }, exportedTransactions());
  const transactions: Transaction[] = [];
  let reportedAtMs = 0;
  for await (const transaction of exported) {
    transactions.push(transaction);
    if (Date.now() - reportedAtMs < REPORT_MS) continue;
    reportedAtMs = Date.now();
    onProgress(transactions.length, exported.expectedRows);
  }
  return transactions;
}

const REPORT_MS = 150;
