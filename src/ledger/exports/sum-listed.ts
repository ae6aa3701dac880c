import { type RunLong, runToTheEnd } from '../../values/long-read.ts';
import type { ListFilter } from '../list/list-filter.ts';
import type { Position } from '../list/list-query.ts';
import type { Total } from '../totals/totals.ts';
import { TotalsSum } from '../totals/totals-sum.ts';
import type { ExportStore } from './export.ts';

export interface SumListedOptions {
  /** Runs the reads after the first one. Reading ends with the reason of its signal. */
  runLong?: RunLong;
}

/**
 * The totals of an account's transactions with a merchantReference, as of a sequence number. They are counted in many short reads: a
 * change with a number never changes, so these need no common snapshot.
 */
export async function sumAllListed(
  store: Pick<ExportStore, 'sumListed'>,
  account: string,
  filter: ListFilter,
  asOf: number,
  { runLong = runToTheEnd }: SumListedOptions = {},
): Promise<Total[]> {
  const sum = new TotalsSum();
  const read = async (after: Position | null) => {
    const { totals, next } = await store.sumListed(account, filter, asOf, after);
    for (const total of totals) sum.add(total);
    return next;
  };
  const second = await read(null);
  if (second === null) return sum.list();
  return runLong(async (gone) => {
    for (let after: Position | null = second; after !== null; after = await read(after))
      gone.throwIfAborted();
    return sum.list();
  });
}
