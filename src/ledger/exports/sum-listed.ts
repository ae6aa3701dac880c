import type { ListFilter } from '../list/list-filter.ts';
import type { Position } from '../list/list-query.ts';
import type { Total } from '../totals/totals.ts';
import { TotalsSum } from '../totals/totals-sum.ts';
import type { ExportStore } from './export.ts';

export interface SumListedOptions {
  /** When it is aborted, reading ends with its reason. */
  signal?: AbortSignal;
  /** Is called if one read is not enough. */
  onLongSum?: () => void;
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
  { signal, onLongSum }: SumListedOptions = {},
): Promise<Total[]> {
  const sum = new TotalsSum();
  for (let after: Position | null = null; ; ) {
    signal?.throwIfAborted();
    const { totals, next } = await store.sumListed(account, filter, asOf, after);
    for (const total of totals) sum.add(total);
    if (next === null) return sum.list();
    if (after === null) onLongSum?.();
    after = next;
  }
}
