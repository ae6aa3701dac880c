import { runToTheEnd } from '../../../values/long-read.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { equalityOf, NO_FILTER, type Position } from '../list/list.ts';
import {
  areListed,
  type CountedTotals,
  type ListedSum,
  type ListedSummer,
  type ListedSumQuery,
  type ReadTotalsOptions,
  type Total,
  type TotalsQuery,
  type TotalsReader,
  TotalsSum,
} from './total.ts';

/** If the query groups by day or by month, each day has separate totals. */
export async function readUtcTotals(reader: TotalsReader, query: TotalsQuery): Promise<CountedTotals> {
  const { account, fromDay, toDay, by } = query;
  const days = { from: fromDay, to: toDay };
  const counted = await reader.readStoredTotals({
    account,
    ...equalityOf(query),
    byDay: by !== null,
    days,
  });
  // Totals that are already in order are not sorted again, because sorting takes longer than reading them.
  if (areListed(counted.totals)) return counted;
  const sum = new TotalsSum();
  for (const total of counted.totals) sum.add(total);
  return { ...counted, totals: sum.list() };
}

export const readLastNumber = (reader: TotalsReader, account: string): Promise<CountedTotals> =>
  reader.readStoredTotals({ account, ...equalityOf(NO_FILTER), byDay: false, days: null });

/** Call this after the last read. Throws: StoreUnavailable if a failover or restore replaced the history. */
export async function requireSameHistory(
  reader: TotalsReader,
  account: string,
  { asOf, lastNonce }: Pick<CountedTotals, 'asOf' | 'lastNonce'>,
): Promise<void> {
  if (lastNonce !== null && (await reader.readNonce(account, asOf)) !== lastNonce)
    throw new StoreUnavailable('history_replaced');
}

const QUICK_READS = 4;

interface SumListedOptions extends ReadTotalsOptions {
  onRead?: (sum: ListedSum) => void;
  dayOfPart?: (partStartMs: number) => number;
}

/** Each read ignores changes after `asOf`, so the reads need no common snapshot. */
export async function sumAllListed(
  store: ListedSummer,
  query: ListedSumQuery,
  { runLong = runToTheEnd, onRead, dayOfPart }: SumListedOptions = {},
): Promise<Total[]> {
  const sum = new TotalsSum();
  const read = async (after: Position | null) => {
    const some = await store.sumListed(query, after);
    for (const { partStartMs, ...total } of some.totals)
      sum.add({ ...total, day: partStartMs === null ? null : (dayOfPart?.(partStartMs) ?? null) });
    onRead?.(some);
    return some.next;
  };
  let next = await read(null);
  for (let reads = 1; next !== null && reads < QUICK_READS; reads++) next = await read(next);
  if (next === null) return sum.list();
  return runLong(async (gone) => {
    for (let after: Position | null = next; after !== null; after = await read(after)) gone.throwIfAborted();
    return sum.list();
  });
}
