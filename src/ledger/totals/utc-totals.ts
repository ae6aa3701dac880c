import { StoreUnavailable } from '../../../values/store-errors.ts';
import { equalityOf, NO_FILTER } from '../list/list.ts';

import { areListed, type CountedTotals, type TotalsQuery, type TotalsReader, TotalsSum } from './total.ts';

/** The totals of UTC days up to the head sequence. Even by month, each day has separate totals. */
export async function readUtcTotals(reader: TotalsReader, query: TotalsQuery): Promise<CountedTotals> {
  const { account, fromDay, toDay, by } = query;
  const days = { from: fromDay, to: toDay };
  const counted = await reader.readStoredTotals({
    account,
    ...equalityOf(query),
    byDay: by !== null,
    days,
  });
  // Adding up and sorting the totals of many days would take longer than reading them.
  if (areListed(counted.totals)) return counted;
  const sum = new TotalsSum();
  for (const total of counted.totals) sum.add(total);
  return { ...counted, totals: sum.list() };
}

/** The state of an account, without totals. */
export const readLastNumber = (reader: TotalsReader, account: string): Promise<CountedTotals> =>
  reader.readStoredTotals({ account, ...equalityOf(NO_FILTER), byDay: false, days: null });

/**
 * Call after everything was read at a number.
 *
 * Throws: StoreUnavailable if a failover or a restore replaced the history since the number was read.
 */
export async function requireSameHistory(
  reader: TotalsReader,
  account: string,
  { asOf, lastNonce }: Pick<CountedTotals, 'asOf' | 'lastNonce'>,
): Promise<void> {
  if (lastNonce !== null && (await reader.readNonce(account, asOf)) !== lastNonce)
    throw new StoreUnavailable('history_replaced');
}
