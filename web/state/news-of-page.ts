import type { Transaction, TransactionPage } from '../../client/src/transaction.ts';
import { dayIn } from '../text/time.ts';
import type { Filter } from './route.ts';
import type { Live } from './use-live.ts';

/** Newer first, as in the list. */
const isNewer = (one: Transaction, other: Transaction) =>
  one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.reference > other.reference);

/** How many transactions of a filter were recorded since its page was loaded, and how many of its rows have taken another status. */
export function newsOfPage(
  { latest }: Live,
  { data, hasMore }: TransactionPage,
  filter: Filter,
  zone: string,
  isFirstPage: boolean,
): { added: number; changed: number } {
  const shown = new Map(data.map((row) => [row.reference, row]));
  const last = hasMore ? data.at(-1) : undefined;
  let [added, changed] = [0, 0];
  for (const { transaction } of latest.values()) {
    const row = shown.get(transaction.reference);
    // A row can have been read after a change that arrives now: only pending ones change.
    if (row !== undefined) changed += row.status === 'pending' && transaction.status !== 'pending' ? 1 : 0;
    else if (isFirstPage && isOf(transaction, filter, zone) && !(last && isNewer(last, transaction))) added++;
  }
  return { added, changed };
}

function isOf(transaction: Transaction, filter: Filter, zone: string): boolean {
  const { status, currency, merchantReference, from, to } = filter;
  const day = from || to ? dayIn(zone, Date.parse(transaction.createdAt)) : '';
  return (
    (!status || status === transaction.status) &&
    (!currency || currency === transaction.currencyCode) &&
    (!merchantReference || merchantReference === transaction.merchantReference) &&
    (!from || day >= from) &&
    (!to || day <= to)
  );
}
